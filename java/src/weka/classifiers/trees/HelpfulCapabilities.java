package weka.classifiers.trees;

import java.util.Locale;
import java.util.Map;
import weka.core.Capabilities;
import weka.core.CapabilitiesHandler;
import weka.core.Instances;
import weka.core.WekaException;

/** Capabilities that say what would help where they refuse data. */
final class HelpfulCapabilities extends Capabilities {
  private static final long serialVersionUID = 1;

  private final String refusal;
  private final Map<Capability, String> remedies;

  /**
   * A copy of others.
   *
   * @param refusal why no data at all can be learned from; null if some can
   * @param remedies what to do about a capability that is missing
   */
  HelpfulCapabilities(CapabilitiesHandler owner, Capabilities others, String refusal,
      Map<Capability, String> remedies) {
    super(owner);
    assign(others);
    if (refusal != null) {
      disableAll();
    }
    this.refusal = refusal;
    this.remedies = remedies;
  }

  @Override
  public boolean test(Instances data, int from, int to) {
    if (refusal != null) {
      m_FailReason = new WekaException(Outcome.folded(refusal));
      return false;
    }
    if (super.test(data, from, to)) {
      return true;
    }
    String said = m_FailReason.getMessage();
    for (Map.Entry<Capability, String> remedy : remedies.entrySet()) {
      if (said.contains(remedy.getKey().toString().toLowerCase(Locale.ROOT))) {
        m_FailReason = new WekaException(Outcome.folded(said + " " + remedy.getValue()));
      }
    }
    return false;
  }
}
