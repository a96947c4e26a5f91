package dev.kymo.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Calls of this class's methods are not recorded, because the class itself records events.
 * Generated classes have this annotation.
 */
@Retention(RetentionPolicy.RUNTIME) // a virtual machine forgets others of classes that are loaded
@Target(ElementType.TYPE)
public @interface Unrecorded {}
