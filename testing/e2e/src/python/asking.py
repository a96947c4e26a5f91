"""A server of HTTP in a process of its own, and a client that asks it so often, over one connection."""
import http.client
import http.server
import os
import sys


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


count = int(sys.argv[1])
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
port = server.server_port
child = os.fork()
if child == 0:
    server.handle_request()  # one connection
    os._exit(0)
server.server_close()
connection = http.client.HTTPConnection("127.0.0.1", port)
for i in range(count):
    body = b"x" * 100 if i % 3 == 0 else None
    connection.request("POST" if body else "GET", f"/item/{i}?secret=x", body)
    assert connection.getresponse().read() == b"hello"
connection.close()
assert os.waitpid(child, 0)[1] == 0
