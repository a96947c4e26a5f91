/** Questions over the model: what costs what. */
@NullMarked
package dev.kymo.analysis;

import org.jspecify.annotations.NullMarked;
