import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * Netty's server and client of HTTP with channels of the JDK: {@code serve} or {@code ask}, the file
 * that the port is passed on in, how many requests, and a key store if it is to be under TLS.
 */
public class Netted {
  private static final char[] PASSWORD = "password".toCharArray();
  private static final int MOST = 100_000;

  public static void main(String[] args) throws Exception {
    Path port = Path.of(args[1]);
    int count = Integer.parseInt(args[2]);
    Path keys = args.length < 4 ? null : Path.of(args[3]);
    EventLoopGroup loops = new NioEventLoopGroup(2);
    try {
      if (args[0].equals("serve")) {
        serve(loops, port, count, keys == null ? null : ofServer(keys));
      } else {
        ask(loops, port, count, keys == null ? null : ofClient(keys));
      }
    } finally {
      loops.shutdownGracefully().sync();
    }
  }

  private static SslContext ofServer(Path file) throws Exception {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(KeyStore.getInstance(file.toFile(), PASSWORD), PASSWORD);
    return SslContextBuilder.forServer(own).sslProvider(SslProvider.JDK).build();
  }

  private static SslContext ofClient(Path file) throws Exception {
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(KeyStore.getInstance(file.toFile(), PASSWORD));
    return SslContextBuilder.forClient().sslProvider(SslProvider.JDK).trustManager(trusted).build();
  }

  private static void serve(EventLoopGroup loops, Path file, int count, SslContext tls)
      throws Exception {
    CountDownLatch left = new CountDownLatch(count);
    Channel server =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    if (tls != null) {
                      channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                    }
                    channel
                        .pipeline()
                        .addLast(new HttpServerCodec(), new HttpObjectAggregator(MOST), new Answering(left));
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sync()
            .channel();
    Path whole = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(whole, "" + ((InetSocketAddress) server.localAddress()).getPort());
    Files.move(whole, file);
    left.await();
    server.close().sync();
  }

  private static final class Answering extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final CountDownLatch left;

    Answering(CountDownLatch left) {
      this.left = left;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      byte[] text = ("answer to " + request.uri()).getBytes(StandardCharsets.UTF_8);
      FullHttpResponse answer =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(text));
      answer.headers().setInt("Content-Length", text.length);
      context.writeAndFlush(answer).addListener(sent -> left.countDown());
    }
  }

  private static void ask(EventLoopGroup loops, Path file, int count, SslContext tls)
      throws Exception {
    while (Files.notExists(file)) {
      Thread.sleep(10);
    }
    int port = Integer.parseInt(Files.readString(file));
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    Channel channel =
        new Bootstrap()
            .group(loops)
            .channel(NioSocketChannel.class)
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    if (tls != null) {
                      channel
                          .pipeline()
                          .addLast(tls.newHandler(channel.alloc(), "localhost", port));
                    }
                    channel
                        .pipeline()
                        .addLast(
                            new HttpClientCodec(), new HttpObjectAggregator(MOST), new Taking(answers));
                  }
                })
            .connect(InetAddress.getLoopbackAddress(), port)
            .sync()
            .channel();
    for (int i = 0; i < count; i++) {
      String path = "/item/" + i;
      FullHttpRequest request =
          new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path + "?secret=1");
      request.headers().set("Host", "localhost");
      channel.writeAndFlush(request).sync();
      String answer = answers.take();
      if (!answer.equals("answer to " + path + "?secret=1")) {
        throw new IllegalStateException(answer);
      }
    }
    channel.close().sync();
  }

  private static final class Taking extends SimpleChannelInboundHandler<FullHttpResponse> {
    private final BlockingQueue<String> answers;

    Taking(BlockingQueue<String> answers) {
      this.answers = answers;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse answer) {
      answers.add(answer.content().toString(StandardCharsets.UTF_8));
    }
  }
}
