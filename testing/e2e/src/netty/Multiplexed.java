import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.CleartextHttp2ServerUpgradeHandler;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ServerUpgradeCodec;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Netty's server of HTTP/2 and the JDK's client, which sends many requests through one connection
 * at the same time: {@code serve} or {@code ask}, the file that the port is passed on in, how many
 * requests, and a key store if it is to be under TLS.
 */
public class Multiplexed {
  private static final char[] PASSWORD = "password".toCharArray();
  private static final int MOST = 100_000;

  public static void main(String[] args) throws Exception {
    Path port = Path.of(args[1]);
    int count = Integer.parseInt(args[2]);
    Path keys = args.length < 4 ? null : Path.of(args[3]);
    if (args[0].equals("serve")) {
      serve(port, count, keys == null ? null : ofServer(keys));
    } else {
      ask(port, count, keys);
    }
  }

  private static SslContext ofServer(Path file) throws Exception {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(KeyStore.getInstance(file.toFile(), PASSWORD), PASSWORD);
    return SslContextBuilder.forServer(own)
        .sslProvider(SslProvider.JDK)
        .applicationProtocolConfig(
            new ApplicationProtocolConfig(
                ApplicationProtocolConfig.Protocol.ALPN,
                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                "h2"))
        .build();
  }

  private static void serve(Path file, int count, SslContext tls) throws Exception {
    CountDownLatch left = new CountDownLatch(count);
    EventLoopGroup loops = new NioEventLoopGroup(2);
    Channel server =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    if (tls == null) {
                      channel.pipeline().addLast(changing(left));
                    } else {
                      channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                      addFrames(channel.pipeline(), left);
                    }
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
    loops.shutdownGracefully().sync();
  }

  private static ChannelHandler requests(CountDownLatch left) {
    return new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel channel) {
        channel
            .pipeline()
            .addLast(
                new Http2StreamFrameToHttpObjectCodec(true),
                new HttpObjectAggregator(MOST),
                new Answering(left));
      }
    };
  }

  private static void addFrames(ChannelPipeline pipeline, CountDownLatch left) {
    pipeline.addLast(
        Http2FrameCodecBuilder.forServer().build(), new Http2MultiplexHandler(requests(left)));
  }

  /** From HTTP/1 to HTTP/2, if the client asks for it. */
  private static ChannelHandler changing(CountDownLatch left) {
    HttpServerCodec first = new HttpServerCodec();
    HttpServerUpgradeHandler changes =
        new HttpServerUpgradeHandler(
            first,
            protocol ->
                Http2CodecUtil.HTTP_UPGRADE_PROTOCOL_NAME.equals(protocol.toString())
                    ? new Http2ServerUpgradeCodec(
                        Http2FrameCodecBuilder.forServer().build(),
                        new Http2MultiplexHandler(requests(left), requests(left)))
                    : null,
            MOST);
    return new CleartextHttp2ServerUpgradeHandler(
        first,
        changes,
        new ChannelInitializer<Channel>() {
          @Override
          protected void initChannel(Channel channel) {
            addFrames(channel.pipeline(), left);
          }
        });
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
              HttpVersion.HTTP_1_1, HttpResponseStatus.ACCEPTED, Unpooled.wrappedBuffer(text));
      answer.headers().setInt("Content-Length", text.length);
      context.writeAndFlush(answer).addListener(sent -> left.countDown());
    }
  }

  private static SSLContext ofClient(Path file) throws Exception {
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(KeyStore.getInstance(file.toFile(), PASSWORD));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trusted.getTrustManagers(), null);
    return context;
  }

  /** The first request by itself, the others at the same time. */
  private static void ask(Path file, int count, Path keys) throws Exception {
    while (Files.notExists(file)) {
      Thread.sleep(10);
    }
    String base = (keys == null ? "http" : "https") + "://localhost:" + Files.readString(file);
    HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2);
    HttpClient client = (keys == null ? builder : builder.sslContext(ofClient(keys))).build();
    check(0, send(client, base, 0).join());
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      answers.add(send(client, base, i));
    }
    for (int i = 1; i < count; i++) {
      check(i, answers.get(i - 1).join());
    }
    System.exit(0); // its threads would wait for more
  }

  private static CompletableFuture<HttpResponse<String>> send(
      HttpClient client, String base, int number) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + "/item/" + number + "?secret=1"))
            .POST(HttpRequest.BodyPublishers.ofString("x".repeat(500 * number)))
            .build();
    return client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
  }

  private static void check(int number, HttpResponse<String> answer) {
    if (answer.version() != HttpClient.Version.HTTP_2
        || !answer.body().equals("answer to /item/" + number + "?secret=1")) {
      throw new IllegalStateException(answer.version() + " " + answer.body());
    }
  }
}
