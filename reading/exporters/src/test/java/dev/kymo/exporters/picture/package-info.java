@org.jspecify.annotations.NullMarked
package dev.kymo.exporters.picture;
