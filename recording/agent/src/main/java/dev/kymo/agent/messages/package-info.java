/** Has the JDK's sockets say what goes through them. */
@NullMarked
package dev.kymo.agent.messages;

import org.jspecify.annotations.NullMarked;
