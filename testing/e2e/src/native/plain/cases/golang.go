// Programs in Go, by the name of the case; without one their names are printed.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sort"
	"sync"
	"syscall"
	"time"
)

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func goroutines() int {
	var group sync.WaitGroup
	results := make(chan int, 1000)
	for i := 0; i < 1000; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			results <- fib(10)
		}()
	}
	group.Wait()
	close(results)
	sum := 0
	for each := range results {
		sum += each
	}
	fmt.Println(sum)
	return 0
}

func threads() int {
	var group sync.WaitGroup
	for i := 0; i < 20; i++ {
		group.Add(1)
		go func() {
			runtime.LockOSThread() // its thread ends with it
			fib(15)
			group.Done()
		}()
	}
	group.Wait()
	return 3
}

func recovers() (status int) {
	defer func() {
		fmt.Println(recover())
		status = 4
	}()
	var nowhere *int
	return *nowhere
}

func panics() int {
	panic("nobody recovers")
}

func children() int {
	out, err := exec.Command("sh", "-c", "echo child; exit 5").Output()
	fmt.Print(string(out), err, "\n")
	return 6
}

func signals() int {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGUSR1)
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	fmt.Println(<-told)
	return 7
}

func talks() int {
	server, err := net.Listen("unix", "socket")
	if err != nil {
		return 1
	}
	go func() {
		client, _ := net.Dial("unix", "socket")
		fmt.Fprint(client, "hello")
		client.Close()
	}()
	peer, _ := server.Accept()
	text, _ := io.ReadAll(peer)
	fmt.Println(string(text))
	return 8
}

func grows() int {
	var deep func(n int, above [64]int) int
	deep = func(n int, above [64]int) int {
		if n == 0 {
			return above[3]
		}
		above[n%64]++
		return deep(n-1, above) + 1
	}
	fmt.Println(deep(10000, [64]int{}) > 10000)
	return 0
}

func ends() int {
	go func() {
		time.Sleep(time.Millisecond)
		os.Exit(9)
	}()
	select {}
}

func becomes() int {
	syscall.Exec("/bin/sh", []string{"sh", "-c", "exit 10"}, os.Environ())
	return 1
}

func main() {
	cases := map[string]func() int{"goroutines": goroutines, "threads": threads, "recovers": recovers, "panics": panics,
		"children": children, "signals": signals, "talks": talks, "grows": grows, "ends": ends, "becomes": becomes}
	if len(os.Args) == 1 {
		names := []string{}
		for name := range cases {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			fmt.Println(name)
		}
		return
	}
	os.Exit(cases[os.Args[1]]())
}
