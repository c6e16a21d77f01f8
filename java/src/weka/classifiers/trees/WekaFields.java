package weka.classifiers.trees;

import java.lang.reflect.Field;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads fields of Weka's trees that are not public. By reflection, since a class of a Weka package has another class
 * loader than Weka, so that Java takes neither for a neighbour of the other.
 */
final class WekaFields {
  private static final ClassValue<ConcurrentHashMap<String, Field>> FIELDS = new ClassValue<>() {
    @Override
    protected ConcurrentHashMap<String, Field> computeValue(Class<?> type) {
      return new ConcurrentHashMap<>();
    }
  };

  private WekaFields() {}

  /** The value of a field, which the class of the object or one above it declares. */
  @SuppressWarnings("unchecked")
  static <T> T get(Object object, String name) {
    try {
      return (T) field(object, name).get(object);
    } catch (IllegalAccessException error) {
      throw new IllegalStateException(error);
    }
  }

  static int getInt(Object object, String name) {
    try {
      return field(object, name).getInt(object);
    } catch (IllegalAccessException error) {
      throw new IllegalStateException(error);
    }
  }

  static double getDouble(Object object, String name) {
    try {
      return field(object, name).getDouble(object);
    } catch (IllegalAccessException error) {
      throw new IllegalStateException(error);
    }
  }

  static boolean getBoolean(Object object, String name) {
    try {
      return field(object, name).getBoolean(object);
    } catch (IllegalAccessException error) {
      throw new IllegalStateException(error);
    }
  }

  private static Field field(Object object, String name) {
    return FIELDS.get(object.getClass()).computeIfAbsent(name, wanted -> declared(object.getClass(), wanted));
  }

  private static Field declared(Class<?> type, String name) {
    for (Class<?> above = type; above != null; above = above.getSuperclass()) {
      try {
        Field field = above.getDeclaredField(name);
        field.setAccessible(true);
        return field;
      } catch (NoSuchFieldException error) {
        continue;
      }
    }
    throw new IllegalStateException("this version of Weka has no field " + name + " in " + type.getName());
  }
}
