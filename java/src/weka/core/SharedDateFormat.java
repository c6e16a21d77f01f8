package weka.core;

import java.text.FieldPosition;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.util.Date;

/**
 * A date format that several threads may use at the same time. RandomTree and REPTree make seeds from the text of an
 * instance, so trees that grow at the same time format dates of the same attribute.
 */
public final class SharedDateFormat extends SimpleDateFormat {
  private SharedDateFormat(String pattern) {
    super(pattern);
    setLenient(false);
  }

  /** A date attribute with such a format; in Weka's package, since the attribute's field is protected. */
  public static Attribute attribute(String name, String pattern) {
    Attribute attribute = new Attribute(name, pattern);
    ((DateAttributeInfo) attribute.m_AttributeInfo).m_DateFormat = new SharedDateFormat(pattern);
    return attribute;
  }

  @Override
  public synchronized StringBuffer format(Date date, StringBuffer text, FieldPosition position) {
    return super.format(date, text, position);
  }

  @Override
  public synchronized Date parse(String text, ParsePosition position) {
    return super.parse(text, position);
  }
}
