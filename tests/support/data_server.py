"""A real web server on this machine that misbehaves as it is told, request by request."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class DataServer:
    """``serve(path, *answers)``: one answer per request, the last for all that follow; ``requests``: what was asked."""

    def __init__(self, ssl_context=None):
        self.answers, self.requests, self.lock = {}, [], threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                with outer.lock:
                    outer.requests.append((self.path, dict(self.headers)))
                    waiting = outer.answers.get(self.path, [refuse(404)])
                    answer = waiting.pop(0) if len(waiting) > 1 else waiting[0]
                self.close_connection = True
                answer(self)

            def log_message(self, *_):
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.server = Quiet(("127.0.0.1", 0), Handler)
        scheme = "http"
        if ssl_context is not None:
            scheme = "https"
            self.server.socket = ssl_context.wrap_socket(self.server.socket, server_side=True)
        self.begin = f"{scheme}://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def serve(self, path, *answers):
        self.answers[path] = list(answers)
        return self.begin + path

    def asked(self, path):
        return [headers for asked, headers in self.requests if asked == path]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def send(handler, status, body=b"", *, length=None, **headers):
    handler.send_response(status)
    for name, value in ({"Content-Type": "text/plain"} | {k.replace("_", "-"): v for k, v in headers.items()}).items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", len(body) if length is None else length)
    handler.end_headers()
    handler.wfile.write(body)
    handler.wfile.flush()


def file(content, *, until=None, pause=0.0, **more):
    """A file; the connection is cut at ``until``, or stays open for a while."""

    def answer(handler):
        send(handler, 200, content[:until], length=len(content), **more)
        time.sleep(pause)

    return answer


def refuse(status, **headers):
    return lambda handler: send(handler, status, b"no", **headers)


def redirect(address, status=302):
    return lambda handler: send(handler, status, Location=address)


def silent(seconds):
    return lambda handler: time.sleep(seconds)


def unmeasured(content):
    """A server that does not say how much will come."""

    def answer(handler):
        _begin_unmeasured(handler)
        handler.wfile.write(content)

    return answer


def endless(handler):
    _begin_unmeasured(handler)
    while True:
        handler.wfile.write(b"1,2,3,4\n" * 4096)


def _begin_unmeasured(handler):
    handler.send_response(200)
    handler.send_header("Content-Type", "text/plain")
    handler.end_headers()
