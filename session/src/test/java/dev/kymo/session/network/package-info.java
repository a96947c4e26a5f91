@NullMarked
package dev.kymo.session.network;

import org.jspecify.annotations.NullMarked;
