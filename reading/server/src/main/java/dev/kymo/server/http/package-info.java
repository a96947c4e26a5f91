/** Questions and answers over HTTP: parameters, JSON, work that takes time. */
@NullMarked
package dev.kymo.server.http;

import org.jspecify.annotations.NullMarked;
