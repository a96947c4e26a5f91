# A kernel that says three lines on the first serial port, and then executes the same instruction for ever.
  .section .note.Xen, "a", @note
  .long 4, 4, 18 # by this QEMU finds where it begins
  .asciz "Xen"
  .long begin
  .text
  .code32
  .globl begin
begin:
  cli
  mov $lines, %esi
next:
  lodsb
  test %al, %al
  jz stuck
  mov $0x3f8, %dx
  outb %al, %dx
  jmp next
stuck:
  jmp stuck
lines:
  .asciz "first line\nsecond line\ngoing nowhere\n"
