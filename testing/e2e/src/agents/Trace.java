import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;

/** Prints the name of each method that AspectJ finds. */
@Aspect
public class Trace {
  @Before(value = "execution(* *(..)) && !within(Trace)", argNames = "point")
  public void enter(JoinPoint point) {
    System.out.println("advice " + point.getSignature());
  }
}
