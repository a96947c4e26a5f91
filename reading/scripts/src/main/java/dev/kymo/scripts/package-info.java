/** JavaScript of users, which can reach nothing but what it is given. */
@NullMarked
package dev.kymo.scripts;

import org.jspecify.annotations.NullMarked;
