package dev.kymo.reader;

import java.util.UUID;

/**
 * Properties that all packets of a recording share.
 *
 * @param uuid that each must carry
 * @param frequency clock ticks of a second
 * @param overwrites whether full rings dropped their oldest packets, so that missing ones are not
 *     odd
 */
record StreamRules(UUID uuid, long frequency, boolean overwrites) {}
