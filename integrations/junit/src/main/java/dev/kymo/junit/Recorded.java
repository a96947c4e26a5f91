package dev.kymo.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test, or all tests of a class, are recorded: as a page beside the test's report, which shows
 * what each thread did meanwhile. A test may have a parameter of type {@link Recording}, to judge
 * what it has done so far.
 *
 * <p>If the virtual machine is not recorded yet, the agent that is in this jar is loaded. All tests
 * of the virtual machine are in one recording.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RecordedExtension.class)
public @interface Recorded {
  /** Whether only a test that fails gets a page. */
  boolean onFailure() default false;

  /**
   * What must be true of the test, or it fails: rules of {@code kymo check}, such as {@code "calls
   * of shop.Stock.load at most 3"} or {@code "no wait over 50 ms"}.
   */
  String[] rules() default {};
}
