package dev.kymo.session.container;

import dev.kymo.drain.SharedMemory;
import dev.kymo.drain.Unfollowed;
import dev.kymo.recorder.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The directory of a recording's shared memory. It is the same for recorder and program, unless the
 * program has other files: see {@link ContainerPlace}.
 */
public class SessionPlace {
  private static final Pattern ASCII = Pattern.compile("\\p{ASCII}*");

  private final Path here;

  /**
   * A place.
   *
   * @param here its path for this program
   */
  protected SessionPlace(Path here) {
    this.here = here;
  }

  /**
   * Makes the directory where this user's usually are.
   *
   * @param recording beside which it is if no usual place can be written
   * @throws IOException with a message for the user
   */
  public static SessionPlace make(Path recording) throws IOException {
    return new SessionPlace(SharedMemory.make(recording));
  }

  /** Its path for this program. */
  public final Path here() {
    return here;
  }

  /** Its path for the recorded program. */
  public Path there() {
    return here;
  }

  /** Its path for whoever completes the recording if this program is killed. */
  public Path name() {
    return here;
  }

  /**
   * The path of the agent for the recorded program. A program whose locale knows only ASCII cannot
   * find the agent under another name, and would end: it gets a copy. A link would be followed. To
   * be called once.
   *
   * @param agent its path for this program
   */
  public Path agent(Path agent) throws IOException {
    Path copy = here.resolve(agent.getFileName());
    if (ASCII.matcher(agent.toString()).matches() || !ASCII.matcher(copy.toString()).matches()) {
      return agent;
    }
    return Files.copy(agent, copy); // fails if there is one: it would be somebody else's
  }

  /** The session as it is for programs that see this place. */
  public Session seen(Session session) {
    return session;
  }

  /** Stores a session for the programs, and makes what they write into. */
  public void store(Session session) throws IOException {
    SharedMemory.store(session);
    Unfollowed.make(here);
  }

  /** Claims the number of a process, which no recorded process gets then. */
  public void claim(int process) throws IOException {
    Files.createDirectory(here.resolve("p" + process));
  }

  public void remove() throws IOException {
    SharedMemory.remove(here);
  }
}
