/** Ways for recordings to other machines that are loaded only when somebody asks for them. */
@NullMarked
package dev.kymo.network.transport;

import org.jspecify.annotations.NullMarked;
