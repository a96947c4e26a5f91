/*
 * Words of the event definition language. As in Barrelfish's pleco the two keywords are read in any
 * case, comments nest, and names may hold apostrophes. Kinds, types, "category" and "color" are no
 * keywords: subsystems and events may be called so.
 */
lexer grammar DefinitionLexer;

SUBSYSTEM options { caseInsensitive = true; } : 'subsystem';
EVENT options { caseInsensitive = true; } : 'event';
OPEN: '{';
CLOSE: '}';
COMMA: ',';
SEMICOLON: ';';
EQUALS: '=';
NUMBER: '0' [xX] [0-9a-fA-F]+ | [0-9]+;
NAME: [\p{L}_] [\p{L}\p{N}_']*;
STRING: '"' PART* '"';
// A text that its line ends.
UNCLOSED: '"' PART* '\\'?;
LINE_COMMENT: '//' ~[\r\n]* -> skip;
COMMENT_OPEN: '/*' -> channel(HIDDEN), pushMode(IN_COMMENT);
SPACE: [\p{White_Space}\u{FEFF}]+ -> skip;
ILLEGAL: .;

// Backslash, white space, backslash is nothing: it lets a text go on in the next line.
fragment PART: ~["\\\r\n] | '\\' [ \t\r\n\f\u000B]+ '\\' | '\\' ~[ \t\r\n\f\u000B];

mode IN_COMMENT;
INNER_OPEN: '/*' -> channel(HIDDEN), pushMode(IN_COMMENT);
COMMENT_CLOSE: '*/' -> channel(HIDDEN), popMode;
COMMENT_TEXT: (~[*/]+ | .) -> skip;
