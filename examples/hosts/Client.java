/** Orders things, one after the other, then ends all. Arguments: address of the shop, of the stock, number of orders. */
public final class Client {
  public static void main(String[] args) {
    Web.await(args[1] + "/stock/0");
    Web.await(args[0] + "/order/0");
    for (int thing = 1; thing <= Integer.parseInt(args[2]); thing++) {
      System.out.println(thing + ": " + Web.ask(args[0] + "/order/" + thing));
    }
    Web.ask(args[0] + "/end");
    Web.ask(args[1] + "/end");
  }
}
