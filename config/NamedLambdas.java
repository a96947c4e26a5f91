import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns the lambdas and method references in a jar into classes. The virtual machine makes such a
 * class when it meets one of them for the first time. That takes it up to a millisecond, and there
 * are many before a recording begins.
 */
final class NamedLambdas {
  private static final String OURS = "dev/kymo/";
  private static final ClassDesc MAKER = ClassDesc.of("java.lang.invoke.LambdaMetafactory");
  private static final String FACTORY = "make";
  private static final String ONLY = "ONLY";

  private final ClassFile files;
  private final Map<String, byte[]> made = new LinkedHashMap<>();
  private final Map<ClassDesc, List<ClassDesc>> members = new LinkedHashMap<>();

  private NamedLambdas(ClassLoader classes) {
    files =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(classes)
                    .orElse(ClassHierarchyResolver.defaultResolver())));
  }

  /**
   * Changes class files, and adds those of their lambdas.
   *
   * @param entries of the jar, by name
   */
  static void make(Map<String, byte[]> entries, ClassLoader classes) {
    NamedLambdas lambdas = new NamedLambdas(classes);
    entries.replaceAll((name, bytes) -> isOurs(name) ? lambdas.changed(bytes) : bytes);
    entries.replaceAll((name, bytes) -> isOurs(name) ? lambdas.withMembers(bytes) : bytes);
    entries.putAll(lambdas.made);
  }

  private static boolean isOurs(String name) {
    return name.startsWith(OURS) && name.endsWith(".class");
  }

  /** The class with calls of the new classes in place of lambdas. */
  private byte[] changed(byte[] bytes) {
    ClassModel model = files.parse(bytes);
    boolean has =
        model.methods().stream()
            .flatMap(method -> method.code().stream())
            .flatMap(code -> code.elementStream())
            .anyMatch(NamedLambdas::isLambda);
    if (!has) {
      return bytes;
    }
    int[] last = {0};
    return files.transformClass(
        model,
        ClassTransform.transformingMethodBodies((code, element) -> {
          if (isLambda(element)) {
            InvokeDynamicInstruction lambda = (InvokeDynamicInstruction) element;
            ClassDesc name = ClassDesc.of(host(model.thisClass().asSymbol()) + "$L" + ++last[0]);
            make(name, model, lambda);
            code.invokestatic(name, FACTORY, lambda.typeSymbol());
          } else {
            code.with(element);
          }
        }));
  }

  private static String host(ClassDesc type) {
    String descriptor = type.descriptorString();
    return descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
  }

  private static boolean isLambda(Object element) {
    return element instanceof InvokeDynamicInstruction dynamic
        && dynamic.bootstrapMethod().owner().equals(MAKER)
        && dynamic.bootstrapMethod().methodName().equals("metafactory");
  }

  private byte[] withMembers(byte[] bytes) {
    ClassModel model = files.parse(bytes);
    List<ClassDesc> added = members.get(model.thisClass().asSymbol());
    if (added == null) {
      return bytes;
    }
    List<ClassDesc> all = new ArrayList<>();
    model
        .findAttribute(Attributes.nestMembers())
        .ifPresent(known -> known.nestMembers().forEach(member -> all.add(member.asSymbol())));
    all.addAll(added);
    return files.transformClass(
        model,
        ClassTransform.dropping(element -> element instanceof NestMembersAttribute)
            .andThen(
                ClassTransform.endHandler(type -> type.with(NestMembersAttribute.ofSymbols(all)))));
  }

  /** A class whose fields are what the lambda captures, and whose method calls its body. */
  private void make(ClassDesc name, ClassModel user, InvokeDynamicInstruction lambda) {
    ClassDesc nest =
        user.findAttribute(Attributes.nestHost())
            .map(known -> known.nestHost().asSymbol())
            .orElse(user.thisClass().asSymbol());
    members.computeIfAbsent(nest, unused -> new ArrayList<>()).add(name);
    List<ClassDesc> captured = lambda.typeSymbol().parameterList();
    byte[] bytes =
        files.build(
            name,
            type -> {
              type.withVersion(user.majorVersion(), 0)
                  .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
                  .withInterfaceSymbols(lambda.typeSymbol().returnType())
                  .with(NestHostAttribute.of(nest));
              for (int i = 0; i < captured.size(); i++) {
                type.withField(
                    "c" + i, captured.get(i), ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
              }
              constructor(type, name, captured);
              factory(type, name, lambda.typeSymbol());
              method(type, name, captured, lambda);
            });
    made.put(host(name).replace('.', '/') + ".class", bytes);
  }

  private static void constructor(ClassBuilder type, ClassDesc name, List<ClassDesc> captured) {
    type.withMethodBody(
        ConstantDescs.INIT_NAME,
        MethodTypeDesc.of(ConstantDescs.CD_void, captured),
        ClassFile.ACC_PRIVATE,
        code -> {
          code.aload(0)
              .invokespecial(
                  ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
          for (int i = 0; i < captured.size(); i++) {
            code.aload(0)
                .loadLocal(TypeKind.from(captured.get(i)), code.parameterSlot(i))
                .putfield(name, "c" + i, captured.get(i));
          }
          code.return_();
        });
  }

  /** A lambda that captures nothing exists once. */
  private static void factory(ClassBuilder type, ClassDesc name, MethodTypeDesc call) {
    if (call.parameterCount() == 0) {
      type.withField(
          ONLY, name, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL);
      type.withMethodBody(
          ConstantDescs.CLASS_INIT_NAME,
          ConstantDescs.MTD_void,
          ClassFile.ACC_STATIC,
          code -> {
            instance(code, name, call);
            code.putstatic(name, ONLY, name).return_();
          });
    }
    type.withMethodBody(
        FACTORY,
        call,
        ClassFile.ACC_STATIC,
        code -> {
          if (call.parameterCount() == 0) {
            code.getstatic(name, ONLY, name);
          } else {
            instance(code, name, call);
          }
          code.areturn();
        });
  }

  private static void instance(CodeBuilder code, ClassDesc name, MethodTypeDesc call) {
    code.new_(name).dup();
    for (int i = 0; i < call.parameterCount(); i++) {
      code.loadLocal(TypeKind.from(call.parameterType(i)), code.parameterSlot(i));
    }
    code.invokespecial(
        name,
        ConstantDescs.INIT_NAME,
        MethodTypeDesc.of(ConstantDescs.CD_void, call.parameterList()));
  }

  private static void method(
      ClassBuilder type,
      ClassDesc name,
      List<ClassDesc> captured,
      InvokeDynamicInstruction lambda) {
    MethodTypeDesc erased = (MethodTypeDesc) lambda.bootstrapArgs().get(0);
    DirectMethodHandleDesc body = (DirectMethodHandleDesc) lambda.bootstrapArgs().get(1);
    MethodTypeDesc exact = (MethodTypeDesc) lambda.bootstrapArgs().get(2);
    // The handle's parameters: the receiver first, if there is one.
    List<ClassDesc> wanted = body.invocationType().parameterList();
    type.withMethodBody(
        lambda.name().stringValue(),
        erased,
        ClassFile.ACC_PUBLIC,
        code -> {
          boolean makes = body.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR;
          if (makes) {
            code.new_(body.owner()).dup();
          }
          for (int i = 0; i < captured.size(); i++) {
            code.aload(0).getfield(name, "c" + i, captured.get(i));
            adapt(code, captured.get(i), wanted.get(i));
          }
          for (int i = 0; i < erased.parameterCount(); i++) {
            code.loadLocal(TypeKind.from(erased.parameterType(i)), code.parameterSlot(i));
            adapt(code, erased.parameterType(i), exact.parameterType(i));
            adapt(code, exact.parameterType(i), wanted.get(captured.size() + i));
          }
          call(code, body);
          ClassDesc result = makes ? body.owner() : body.invocationType().returnType();
          adapt(code, result, erased.returnType());
          code.return_(TypeKind.from(erased.returnType()));
        });
  }

  private static void call(CodeBuilder code, DirectMethodHandleDesc body) {
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(body.lookupDescriptor());
    Opcode opcode =
        switch (body.kind()) {
          case STATIC, INTERFACE_STATIC -> Opcode.INVOKESTATIC;
          // of the same nest: private methods need no special call
          case VIRTUAL, SPECIAL -> Opcode.INVOKEVIRTUAL;
          case INTERFACE_VIRTUAL, INTERFACE_SPECIAL -> Opcode.INVOKEINTERFACE;
          case CONSTRUCTOR -> Opcode.INVOKESPECIAL;
          default -> throw new IllegalArgumentException("kind=" + body.kind());
        };
    String name =
        body.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR
            ? ConstantDescs.INIT_NAME
            : body.methodName();
    MethodTypeDesc called =
        body.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR
            ? type.changeReturnType(ConstantDescs.CD_void)
            : type;
    code.invoke(opcode, body.owner(), name, called, body.isOwnerInterface());
  }

  /** As a call through a method handle would: casts, boxes, unboxes, drops. */
  private static void adapt(CodeBuilder code, ClassDesc from, ClassDesc to) {
    if (from.equals(to)) {
      return;
    }
    TypeKind has = TypeKind.from(from);
    if (to.equals(ConstantDescs.CD_void)) {
      if (has.slotSize() == 2) {
        code.pop2();
      } else {
        code.pop();
      }
    } else if (from.isPrimitive() && to.isPrimitive()) {
      code.conversion(has, TypeKind.from(to));
    } else if (from.isPrimitive()) {
      ClassDesc box = box(from);
      code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, from));
    } else if (to.isPrimitive()) {
      ClassDesc box = box(to);
      code.checkcast(box).invokevirtual(box, to.displayName() + "Value", MethodTypeDesc.of(to));
    } else if (!to.equals(ConstantDescs.CD_Object)) {
      code.checkcast(to);
    }
  }

  private static ClassDesc box(ClassDesc primitive) {
    return switch (TypeKind.from(primitive)) {
      case BOOLEAN -> ConstantDescs.CD_Boolean;
      case BYTE -> ConstantDescs.CD_Byte;
      case CHAR -> ConstantDescs.CD_Character;
      case SHORT -> ConstantDescs.CD_Short;
      case INT -> ConstantDescs.CD_Integer;
      case LONG -> ConstantDescs.CD_Long;
      case FLOAT -> ConstantDescs.CD_Float;
      case DOUBLE -> ConstantDescs.CD_Double;
      default -> throw new IllegalArgumentException("type=" + primitive);
    };
  }
}
