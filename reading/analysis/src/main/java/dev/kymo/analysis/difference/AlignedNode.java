package dev.kymo.analysis.difference;

import dev.kymo.analysis.difference.paths.PathNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A method called by a path of callers, on both sides or on one. */
public final class AlignedNode {
  private final @Nullable AlignedNode parent;
  private final int key;
  private final SideNode base;
  private final SideNode fresh;
  private final List<AlignedNode> children = new ArrayList<>();

  private AlignedNode(@Nullable AlignedNode parent, int key, SideNode base, SideNode fresh) {
    this.parent = parent;
    this.key = key;
    this.base = base;
    this.fresh = fresh;
  }

  /** Aligns trees; a recording without the role has null. */
  static AlignedNode of(@Nullable PathNode[] base, @Nullable PathNode[] fresh) {
    AlignedNode root = new AlignedNode(null, -1, new SideNode(base), new SideNode(fresh));
    List<AlignedNode> all = new ArrayList<>(List.of(root));
    for (int i = 0; i < all.size(); i++) {
      AlignedNode node = all.get(i);
      node.addChildren();
      all.addAll(node.children);
    }
    for (AlignedNode node : all.reversed()) {
      AlignedNode above = node.parent;
      if (above != null) {
        above.base.addTotal(node.base);
        above.fresh.addTotal(node.fresh);
      }
    }
    return root;
  }

  private void addChildren() {
    Set<Integer> keys = new LinkedHashSet<>();
    for (SideNode side : List.of(fresh, base)) {
      side.known().forEach(node -> node.children().forEach(child -> keys.add(child.key())));
    }
    for (int childKey : keys) {
      SideNode[] both = new SideNode[2];
      both[0] = child(base, childKey);
      both[1] = child(fresh, childKey);
      children.add(new AlignedNode(this, childKey, both[0], both[1]));
    }
  }

  private static SideNode child(SideNode side, int key) {
    @Nullable PathNode[] of = new PathNode[side.nodes().length];
    for (int i = 0; i < of.length; i++) {
      PathNode node = side.nodes()[i];
      of[i] = node == null ? null : node.child(key);
    }
    return new SideNode(of);
  }

  /** Its caller; null = it stands for the threads. */
  public @Nullable AlignedNode parent() {
    return parent;
  }

  public int key() {
    return key;
  }

  public SideNode base() {
    return base;
  }

  public SideNode fresh() {
    return fresh;
  }

  public SideNode side(Side side) {
    return side == Side.BASE ? base : fresh;
  }

  /** What it called, in the order in which the new side called it first, then the rest. */
  public List<AlignedNode> children() {
    return children;
  }

  public boolean isOnBothSides() {
    return base.isThere() && fresh.isThere();
  }

  /** Keys of the methods from the outermost caller to this. */
  public List<Integer> path() {
    List<Integer> path = new ArrayList<>();
    AlignedNode node = this;
    while (node != null && node.parent != null) {
      path.add(node.key);
      node = node.parent;
    }
    Collections.reverse(path);
    return path;
  }

  /** Everything in it, callers first. */
  public List<AlignedNode> all() {
    List<AlignedNode> all = new ArrayList<>(Arrays.asList(this));
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).children);
    }
    return all;
  }
}
