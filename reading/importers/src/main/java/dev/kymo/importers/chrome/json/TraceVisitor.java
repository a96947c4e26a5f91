package dev.kymo.importers.chrome.json;

import java.io.IOException;

/** Takes what is in a file. */
public interface TraceVisitor {
  /**
   * Takes an event.
   *
   * @param event valid until the method returns
   * @param offset bytes in the unpacked file
   */
  void event(TraceEvent event, long offset) throws IOException;

  /** Takes a stack frame; the parent is empty if there is none. */
  void frame(String id, String name, String parent) throws IOException;

  /** Takes anything else that stands beside the events, as text. */
  void beside(String key, String text) throws IOException;

  /**
   * The file ends before its text does; everything before it has been given.
   *
   * @param offset where
   */
  void cut(long offset) throws IOException;
}
