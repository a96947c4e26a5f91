/** Options about recordings that go to other machines. */
@NullMarked
package dev.kymo.cli.network;

import org.jspecify.annotations.NullMarked;
