package dev.kymo.analysis.difference.statistics;

/** The distributions of Gauss and Student. */
public final class Normal {
  private Normal() {}

  /** Probability of a value above this one, which is 0 or more. */
  public static double above(double z) {
    // Student's distribution with very many degrees is this one within the precision asked for.
    return student(z, 1e7) / 2;
  }

  /** Probability that Student's t is further from 0 than this, on either side. */
  public static double student(double t, double degrees) {
    if (Double.isNaN(t) || degrees <= 0) {
      return 1;
    }
    return incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t));
  }

  /** The t that is exceeded on either side with this probability. */
  public static double studentQuantile(double probability, double degrees) {
    double low = 0;
    double high = 1e4;
    for (int i = 0; i < 100; i++) {
      double middle = (low + high) / 2;
      if (student(middle, degrees) > probability) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** The regularized incomplete beta function. */
  static double incompleteBeta(double a, double b, double x) {
    if (x <= 0 || x >= 1) {
      return x <= 0 ? 0 : 1;
    }
    if (x > (a + 1) / (a + b + 2)) {
      return 1 - incompleteBeta(b, a, 1 - x);
    }
    double front =
        Math.exp(
            logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
    return front / a * fraction(a, b, x);
  }

  /** Its continued fraction, from the front, by Lentz. */
  private static double fraction(double a, double b, double x) {
    double tiny = 1e-300;
    double c = 1;
    double d = 1 / nonzero(1 - (a + b) * x / (a + 1), tiny);
    double result = d;
    for (int m = 1; m <= 500; m++) {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / nonzero(1 + even * d, tiny);
      c = nonzero(1 + even / c, tiny);
      result *= d * c;
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / nonzero(1 + odd * d, tiny);
      c = nonzero(1 + odd / c, tiny);
      result *= d * c;
      if (Math.abs(d * c - 1) < 1e-12) {
        break;
      }
    }
    return result;
  }

  private static double nonzero(double value, double tiny) {
    return Math.abs(value) < tiny ? tiny : value;
  }

  /** Logarithm of the gamma function: Stirling's series, for arguments shifted to 10 or more. */
  static double logGamma(double x) {
    double shift = 0;
    double z = x;
    while (z < 10) {
      shift += Math.log(z);
      z += 1;
    }
    double square = 1 / (z * z);
    double series = (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680))) / z;
    return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series - shift;
  }
}
