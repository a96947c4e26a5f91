! Programs in Fortran, by the name of the case; without one their names are printed.
module work
  implicit none
contains
  recursive integer function fib(n) result(r)
    integer, intent(in) :: n
    r = n
    if (n >= 2) r = fib(n - 1) + fib(n - 2)
  end function

  subroutine sums()
    integer :: i
    integer(8) :: total
    total = 0
    !$omp parallel do reduction(+:total)
    do i = 1, 1000
      total = total + mod(fib(5), 7) + i
    end do
    !$omp end parallel do
    print *, total
  end subroutine

  subroutine files()
    integer :: i, n, got
    open(newunit=n, file='data', form='unformatted', access='stream')
    write(n) (i * i, i = 1, 100)
    close(n)
    open(newunit=n, file='data', form='unformatted', access='stream', status='old')
    read(n, pos=37) got
    close(n, status='delete')
    print *, got
  end subroutine

  subroutine arrays()
    real(8) :: a(50, 50), b(50, 50)
    integer :: i, j
    do i = 1, 50
      do j = 1, 50
        a(i, j) = i + j
        b(i, j) = i - j
      end do
    end do
    print *, nint(sum(matmul(a, b)))
  end subroutine

  subroutine beyond()
    integer, allocatable :: a(:)
    integer :: error
    allocate(a(10_8 ** 14), stat=error)
    print *, error /= 0
    allocate(a(3))
    a = [1, 2, 3]
    print *, a(fib(3))
  end subroutine

  subroutine commands()
    integer :: status
    call execute_command_line('exit 6', exitstat=status)
    print *, status
  end subroutine
end module

program main
  use work
  implicit none
  character(32) :: name
  integer :: n
  real :: zero
  call get_command_argument(1, name)
  select case (name)
    case ('')
      print '(a)', 'sums', 'files', 'arrays', 'beyond', 'commands', 'stops', 'stops_with_an_error', &
        'reads_nothing', 'not_a_number'
    case ('sums')
      call sums()
    case ('files')
      call files()
    case ('arrays')
      call arrays()
    case ('beyond')
      call beyond()
    case ('commands')
      call commands()
    case ('stops')
      print *, fib(10)
      stop 5
    case ('stops_with_an_error')
      error stop 'an error'
    case ('reads_nothing')
      read *, n
    case ('not_a_number')
      zero = real(fib(0))
      print *, zero / zero /= zero / zero
  end select
end program
