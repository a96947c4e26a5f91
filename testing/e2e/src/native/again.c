/* Makes connections of OpenSSL one after the other, between two threads: with objects of their own, and with objects
 * that are cleared and used again. Prints how many bytes the server got. Argument: a file with a key and its
 * certificate. */
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECTIONS = 5, PIECES = 10, LONGEST = 20000 };

static void check(int success) {
  if (success <= 0) {
    ERR_print_errors_fp(stderr);
    exit(1);
  }
}

static SSL_CTX *context(const SSL_METHOD *method, const char *keys) {
  SSL_CTX *made = SSL_CTX_new(method);
  check(SSL_CTX_use_certificate_file(made, keys, SSL_FILETYPE_PEM));
  check(SSL_CTX_use_PrivateKey_file(made, keys, SSL_FILETYPE_PEM));
  SSL_CTX_set_session_cache_mode(made, SSL_SESS_CACHE_OFF);
  return made;
}

static void *serve(void *argument) {
  SSL *ssl = argument;
  static char bytes[LONGEST];
  static long all;
  check(SSL_accept(ssl));
  for (int got; (got = SSL_read(ssl, bytes, sizeof bytes)) > 0;) {
    all += got;
  }
  SSL_shutdown(ssl);
  return &all;
}

/* One connection, over a pair of sockets; returns how many bytes the server got so far. */
static long talk(SSL *client, SSL *server) {
  static const char bytes[LONGEST];
  int ends[2];
  pthread_t thread;
  void *got;
  check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) + 1);
  SSL_set_fd(client, ends[0]);
  SSL_set_fd(server, ends[1]);
  pthread_create(&thread, NULL, serve, server);
  check(SSL_connect(client));
  for (int i = 1; i <= PIECES; i++) {
    size_t written;
    check(i % 2 == 0 ? SSL_write(client, bytes, i * 2000) : SSL_write_ex(client, bytes, (size_t) i * 2000, &written));
  }
  SSL_shutdown(client);
  pthread_join(thread, &got);
  close(ends[0]);
  close(ends[1]);
  return *(long *) got;
}

int main(int count, char **arguments) {
  long got = 0;
  if (count < 2) {
    return 2;
  }
  SSL_CTX *asking = context(TLS_client_method(), arguments[1]);
  SSL_CTX *serving = context(TLS_server_method(), arguments[1]);
  SSL *client = SSL_new(asking);
  SSL *server = SSL_new(serving);
  for (int i = 0; i < CONNECTIONS; i++) {
    got = talk(client, server);
    if (i % 2 == 0) {
      check(SSL_clear(client));
      check(SSL_clear(server));
    } else {
      SSL_free(client);
      SSL_free(server);
      client = SSL_new(asking);
      server = SSL_new(serving);
    }
  }
  SSL_free(client);
  SSL_free(server);
  SSL_CTX_free(asking);
  SSL_CTX_free(serving);
  printf("%ld\n", got);
  return 0;
}
