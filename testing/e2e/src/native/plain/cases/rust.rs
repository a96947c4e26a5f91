// Programs in Rust, by the name of the case; without one their names are printed.
use std::collections::HashMap;
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Command, Stdio};
use std::sync::{mpsc, Arc, Condvar, Mutex};
use std::{fs, panic, process, thread};

#[inline(never)]
fn fib(n: u64) -> u64 {
    if n < 2 {
        n
    } else {
        fib(n - 1) + fib(n - 2)
    }
}

fn threads() -> i32 {
    let handles: Vec<_> = (0..20).map(|n| thread::spawn(move || fib(n))).collect();
    println!("{}", handles.into_iter().map(|each| each.join().unwrap()).sum::<u64>());
    0
}

fn small_stacks() -> i32 {
    let handle = thread::Builder::new().stack_size(20 * 1024).name("small".into()).spawn(|| fib(5)).unwrap();
    handle.join().unwrap() as i32
}

fn channels() -> i32 {
    let (send, receive) = mpsc::sync_channel(1);
    thread::spawn(move || (0..100).for_each(|n| send.send(fib(n % 10)).unwrap()));
    println!("{}", receive.iter().sum::<u64>());
    0
}

fn waits() -> i32 {
    let both = Arc::new((Mutex::new(0), Condvar::new()));
    let other = both.clone();
    let handle = thread::spawn(move || {
        *other.0.lock().unwrap() = 5;
        other.1.notify_one();
    });
    let mut got = both.0.lock().unwrap();
    while *got == 0 {
        got = both.1.wait(got).unwrap();
    }
    let result = *got;
    drop(got);
    handle.join().unwrap();
    result
}

fn caught() -> i32 {
    let result = panic::catch_unwind(|| {
        let list = vec![fib(3)];
        list[fib(5) as usize]
    });
    println!("{}", result.is_err());
    3
}

fn panics() -> i32 {
    panic!("nobody catches this")
}

fn poisoned() -> i32 {
    let lock = Arc::new(Mutex::new(1));
    let other = lock.clone();
    let failed = thread::spawn(move || {
        let _held = other.lock();
        panic!("with a lock")
    });
    println!("{} {}", failed.join().is_err(), lock.lock().is_err());
    4
}

fn overflows() -> i32 {
    fn deep(n: u64) -> u64 {
        let room = [n; 512];
        let kept = unsafe { std::ptr::read_volatile(&room) };
        if kept[7] == u64::MAX {
            0
        } else {
            deep(n + 1) + kept[(n % 512) as usize]
        }
    }
    deep(fib(5)) as i32
}

fn aborts() -> i32 {
    process::abort()
}

fn children() -> i32 {
    let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"through a child").unwrap();
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    println!("{} {:?}", text, child.wait().unwrap().code());
    let empty = Command::new("sh").env_clear().args(["-c", "exit 8"]).status().unwrap();
    println!("{:?} {}", empty.code(), Command::new("/nowhere").status().is_err());
    5
}

fn talks() -> i32 {
    let server = UnixListener::bind("socket").unwrap();
    let handle = thread::spawn(|| UnixStream::connect("socket").unwrap().write_all(b"hello").unwrap());
    let mut text = String::new();
    server.accept().unwrap().0.read_to_string(&mut text).unwrap();
    handle.join().unwrap();
    println!("{text}");
    6
}

fn files() -> i32 {
    fs::write("file", "text").unwrap();
    fs::rename("file", "other").unwrap();
    println!("{} {}", fs::read_to_string("other").unwrap(), fs::metadata("file").is_err());
    7
}

fn main() {
    type Case = fn() -> i32;
    let cases: [(&str, Case); 12] = [
        ("threads", threads),
        ("small_stacks", small_stacks),
        ("channels", channels),
        ("waits", waits),
        ("caught", caught),
        ("panics", panics),
        ("poisoned", poisoned),
        ("overflows", overflows),
        ("aborts", aborts),
        ("children", children),
        ("talks", talks),
        ("files", files),
    ];
    match std::env::args().nth(1) {
        None => cases.iter().for_each(|each| println!("{}", each.0)),
        Some(name) => process::exit(HashMap::from(cases)[name.as_str()]()),
    }
}
