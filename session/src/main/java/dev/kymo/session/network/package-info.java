/** A recording that is sent while it is made: to whom, and what happens while nobody takes it. */
@NullMarked
package dev.kymo.session.network;

import org.jspecify.annotations.NullMarked;
