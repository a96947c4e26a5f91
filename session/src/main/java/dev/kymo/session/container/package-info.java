/** Programs in containers: where their files, their users and their numbers are other ones. */
@NullMarked
package dev.kymo.session.container;

import org.jspecify.annotations.NullMarked;
