package dev.kymo.symbols;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FunctionNameTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          main                                          | main                      | ''
          f(int)                                        | f                         | (int)
          f()                                           | f                         | ()
          a::b(char const*, a::c&&)                     | a::b                      | (char const*, a::c&&)
          a::b(int) const                               | a::b                      | (int) const
          a::b(int) const &                             | a::b                      | (int) const &
          a::b() &&                                     | a::b                      | () &&
          void f<int>(int)                              | f<int>                    | (int)
          std::vector<int, x<int> > ns::g<a b>(int)     | ns::g<a b>                | (int)
          unsigned long const& std::min<long>(long)     | std::min<long>            | (long)
          char const* f<char>(char)                     | f<char>                   | (char)
          (anonymous namespace)::f(int)                 | (anonymous namespace)::f  | (int)
          void (anonymous namespace)::f<int>(int)       | (anonymous namespace)::f<int> | (int)
          f((anonymous namespace)::a, int)              | f                         | ((anonymous namespace)::a, int)
          f(void (*)(int), int (&)[3])                  | f                         | (void (*)(int), int (&)[3])
          void (*f<int>(int))(char)                     | f<int>                    | (int)
          a::operator()(int)                            | a::operator()             | (int)
          void a::operator()<int>(int) const            | a::operator()<int>        | (int) const
          a::operator unsigned long() const             | a::operator unsigned long | () const
          a::operator<(a const&)                        | a::operator<              | (a const&)
          bool operator< <int>(int)                     | operator< <int>           | (int)
          operator<<(b&, a)                             | operator<<                | (b&, a)
          a::operator->() const                         | a::operator->             | () const
          operator new(unsigned long)                   | operator new              | (unsigned long)
          my_operator<a>(int)                           | my_operator<a>            | (int)
          int my_operator<a>(int)                       | my_operator<a>            | (int)
          a::m(int) const::{lambda(int)#1}::operator()(int) const | a::m(int) const::{lambda(int)#1}::operator() | (int) const
          void f<int>(int)::{lambda()#1}::operator()() const | f<int>(int)::{lambda()#1}::operator() | () const
          decltype (a(0)) f<int>(int)                   | f<int>                    | (int)
          non-virtual thunk to a::b(int)                | non-virtual thunk to a::b | (int)
          f(int) [clone .constprop.0]                   | f [clone .constprop.0]    | (int)
          f[abi:cxx11](int)                             | f[abi:cxx11]              | (int)
          vtable for a                                  | vtable for a              | ''
          """)
  void isTakenApart(String demangled, String name, String parameters) {
    assertThat(FunctionName.of(demangled)).isEqualTo(new FunctionName(name, parameters));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          _ZN1a1bEi                | a::b          | (int)
          _ZNSt6vectorIiE4sizeEv   | std::vector<int>::size | ()
          main                     | main          | ''
          _Znonsense               | _Znonsense    | ''
          _ZN1r6helper17h540515bcc92ad0e9E | r::helper | ''
          _ZN51_$LT$alloc..vec..Vec$LT$u32$GT$$u20$as$u20$r..T$GT$2go17h0123456789abcdefE | <alloc::vec::Vec<u32> as r::T>::go | ''
          """)
  void isDemangled(String symbol, String name, String parameters) {
    Demangler demangler = new Demangler();
    assertThat(demangler.of(symbol)).isEqualTo(new FunctionName(name, parameters));
    assertThat(demangler.of(symbol)).isEqualTo(new FunctionName(name, parameters));
  }

  @Test
  void withoutCppNamesStayAsTheyAre() {
    assertThat(new Demangler("libnothing.so.7").of("_ZN1a1bEi"))
        .isEqualTo(new FunctionName("_ZN1a1bEi", ""));
    assertThat(DebugFiles.open("libnothing.so.7")).isNull();
  }

  /** Any name is taken apart into the parts it was made of. */
  @Test
  void nonsenseIsNoTrouble() {
    for (String text :
        new String[] {"", ")", "(", "()", "a)", "((", "<>>)(", " const", "operator"}) {
      FunctionName name = FunctionName.of(text);
      assertThat(text).endsWith(name.parameters());
    }
  }
}
