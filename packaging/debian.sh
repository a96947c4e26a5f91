# Sourced by ./package: what makes Debian's packages. Uses $out, $version, $level, and $tools of the chosen machine.

# needs FOLDER: the packages that the machine code in a folder needs: a C library as new as what is called in it, and those
# in packaging/libraries.
needs() {
  local code glibc name package packages=""
  code=$(find "$1" -type f \( -name '*.so*' -o -path '*/runtime/bin/*' \))
  glibc=$(echo "$code" | xargs "${tools}objdump" -T | grep -o 'GLIBC_2[.][0-9]*' | sort -uV | tail -1)
  for name in $(echo "$code" | xargs "${tools}objdump" -p | sed -n 's/^ *NEEDED *//p' | sort -u); do
    ! echo "$code" | grep -q "/$name$" || continue
    package=$(sed -n "s/^$name //p" packaging/libraries)
    [ -n "$package" ] || { echo "package: not in packaging/libraries: library=$name" >&2; exit 1; }
    packages="$packages$package\n"
  done
  printf 'libc6 (>= %s)' "${glibc#GLIBC_}"
  printf "$packages" | grep -vx libc6 | sort -u | sed 's/^/, /' | tr -d '\n'
}

# debian NAME ARCHITECTURE DEPENDS: a package of what lies in $out/NAME, with packaging/NAME.control and scripts.
debian() {
  local name=$1 root=$out/$1 architecture=$2 depends=$3 size script
  mkdir -p "$root/DEBIAN" "$root/usr/share/doc/$name"
  cp packaging/copyright "$root/usr/share/doc/$name/copyright"
  printf '%s (%s) unstable; urgency=low\n\n  * See the history of the source.\n\n -- The Kymo authors <kymo@localhost>  %s\n' \
    "$name" "$version" "$(LC_ALL=C date -Rud "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$root/usr/share/doc/$name/changelog.gz"
  find "$root" -type d -exec chmod 755 {} +
  size=$(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f1)
  sed "s/@VERSION@/$version/;s/@ARCHITECTURE@/$architecture/;s/@SIZE@/$size/;s/@DEPENDS@/$depends/" \
    "packaging/$name.control" >"$root/DEBIAN/control"
  for script in postinst prerm postrm; do
    [ ! -e "packaging/$name.$script" ] || install -m 755 "packaging/$name.$script" "$root/DEBIAN/$script"
  done
  [ ! -e "packaging/$name.triggers" ] || install -m 644 "packaging/$name.triggers" "$root/DEBIAN/triggers"
  mkdir -p "$root/usr/share/lintian/overrides"
  cp "packaging/$name.overrides" "$root/usr/share/lintian/overrides/$name"
  (cd "$root" && find usr lib -type f -print0 2>/dev/null | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  chmod 644 "$root/DEBIAN/md5sums" "$root/DEBIAN/control"
  find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zxz "-z$((level > 6 ? 6 : level))" --build "$root" "$out/${name}_${version}_$architecture.deb" >/dev/null
  rm -r "$root"
}
