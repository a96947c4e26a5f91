/* TSDL, the language of the metadata of CTF 1.8. What types and attributes mean is seen later. */
grammar Tsdl;

file: item* EOF;

item
    : definition ';'?
    | alias ';'
    | block ';'
    | ';'
    ;

block: kind=('trace' | 'stream' | 'event' | 'clock' | 'env' | 'callsite') '{' entry* '}';

entry
    : assignment ';'
    | definition ';'?
    | alias ';'
    | ';'
    ;

assignment: path ('=' value | ':=' type pointer* | '=' structure);

value
    : sign=('-' | '+')? NUMBER
    | text
    | path
    | 'string'
    ;

text: STRING | CHARACTER;

// An unknown attribute may be called as it likes; a keyword that begins a type may not.
path: word ('.' (word | typeWord))*;

word
    : NAME | 'trace' | 'stream' | 'event' | 'clock' | 'env' | 'callsite' | 'align' | 'signed'
    ;

typeWord
    : 'struct' | 'variant' | 'enum' | 'integer' | 'floating_point' | 'string' | 'typedef' | 'typealias'
    | 'const'
    | cWord
    ;

definition: structure | variant | enumeration;

alias
    : 'typealias' type pointer* ':=' target     # typeAlias
    | 'typedef' type declarator (',' declarator)* # typeDefinition
    ;

target
    : name pointer*
    | 'struct' NAME
    | 'variant' NAME
    | 'enum' NAME
    ;

type
    : structure
    | variant
    | enumeration
    | 'struct' NAME
    | 'enum' NAME
    | integer
    | floating
    | 'string' ('{' attribute* '}')?
    | name
    ;

integer: 'integer' '{' attribute* '}';

floating: 'floating_point' '{' attribute* '}';

attribute: path '=' value ';' | ';';

name: 'const'* (NAME | cWord+) 'const'?;

cWord
    : 'void' | 'char' | 'short' | 'int' | 'long' | 'float' | 'double' | 'signed' | 'unsigned'
    | '_Bool' | '_Complex' | '_Imaginary'
    ;

pointer: '*' 'const'?;

structure: 'struct' NAME? '{' member* '}' ('align' '(' NUMBER ')')?;

variant: 'variant' NAME? ('<' reference '>')? ('{' member* '}')?;

member
    : type declarator (',' declarator)* ';'
    | alias ';'
    | definition ';'
    ;

declarator: pointer* NAME length*;

length: '[' (NUMBER | reference) ']';

reference: root=(NAME | 'trace' | 'stream' | 'event' | 'env') ('.' (word | typeWord))*;

enumeration: 'enum' NAME? (':' (integer | name))? '{' enumerator (',' enumerator)* ','? '}';

enumerator: label ('=' bound ('...' bound)?)?;

label: text | word | typeWord;

bound: sign=('-' | '+')? NUMBER;

OPEN: '{';
CLOSE: '}';
NUMBER: ('0' [xX] [0-9a-fA-F]+ | '0' [bB] [01]+ | '0' [0-7]* | [1-9] [0-9]*) [uUlL]* ;
NAME: [\p{L}_] [\p{L}\p{N}_]*;
STRING: 'L'? '"' (~["\\\r\n] | '\\' .)* '"';
CHARACTER: 'L'? '\'' (~['\\\r\n] | '\\' .)+ '\'';
COMMENT: '/*' .*? '*/' -> skip;
LINE_COMMENT: '//' ~[\r\n]* -> skip;
SPACE: [ \t\r\n\f\u000B]+ -> skip;
ILLEGAL: .;
