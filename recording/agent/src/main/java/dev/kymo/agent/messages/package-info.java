/** Has the JDK's sockets and TLS, and JDBC's classes, say what goes through them. */
@NullMarked
package dev.kymo.agent.messages;

import org.jspecify.annotations.NullMarked;
