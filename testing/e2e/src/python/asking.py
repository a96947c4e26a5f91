"""A server of HTTP in a process of its own, and a client that asks it so often, over one connection.

Arguments: how often; for TLS, the file with a key and its certificate, and the version (TLSv1_2 or TLSv1_3); the file
with the port of another program's server, which is asked instead.
"""
import http.client
import http.server
import os
import ssl
import sys
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(404 if "/item/7?" in self.path else 200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")

    do_GET = do_POST = answer

    def log_message(self, *words):
        pass


def context(protocol):
    made = ssl.SSLContext(protocol)
    made.minimum_version = made.maximum_version = ssl.TLSVersion[sys.argv[3]]
    return made


def serve():
    """Starts a server of one connection; returns its port and its process."""
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    if tls:
        own = context(ssl.PROTOCOL_TLS_SERVER)
        own.load_cert_chain(sys.argv[2])
        server.socket = own.wrap_socket(server.socket, server_side=True)
    child = os.fork()
    if child == 0:
        server.handle_request()
        os._exit(0)
    server.server_close()
    return server.server_port, child


def port_in(file):
    while not os.path.exists(file):
        time.sleep(0.01)
    with open(file) as text:
        return int(text.read())


count = int(sys.argv[1])
tls = len(sys.argv) > 2
port, child = (port_in(sys.argv[4]), None) if len(sys.argv) > 4 else serve()
if tls:
    trusting = context(ssl.PROTOCOL_TLS_CLIENT)
    trusting.load_verify_locations(sys.argv[2])
    connection = http.client.HTTPSConnection("localhost", port, context=trusting)
else:
    connection = http.client.HTTPConnection("127.0.0.1", port)
for i in range(count):
    body = b"x" * 100 if child and i % 3 == 0 else None
    connection.request("POST" if body else "GET", f"/item/{i}?secret=x", body)
    assert connection.getresponse().read() == (b"hello" if child else f"answer to /item/{i}".encode())
connection.close()
assert child is None or os.waitpid(child, 0)[1] == 0
