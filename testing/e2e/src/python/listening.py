"""Runs a command with a socket that listens as its standard input, as systemd does: listening.py SOCKET COMMAND..."""
import os
import socket
import sys

listening = socket.socket(socket.AF_UNIX)
listening.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o666)
listening.listen()
os.dup2(listening.fileno(), 0)
os.execvp(sys.argv[2], sys.argv[2:])
