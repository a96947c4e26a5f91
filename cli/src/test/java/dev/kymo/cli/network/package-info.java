@NullMarked
package dev.kymo.cli.network;

import org.jspecify.annotations.NullMarked;
