/**
 * Linux with one program in a machine that QEMU makes: where kernel and QEMU come from, what is in
 * the machine's file system, and how every instruction of both is recorded.
 */
@NullMarked
package dev.kymo.session.machine;

import org.jspecify.annotations.NullMarked;
