/* The event definition language. What the words of kinds, types and attributes mean is seen later. */
parser grammar DefinitionParser;

options { tokenVocab = DefinitionLexer; }

file: subsystem+ EOF;
subsystem: SUBSYSTEM NAME id? attribute* OPEN event+ CLOSE SEMICOLON;
id: EQUALS NUMBER;
attribute: NAME text;
event: EVENT NAME id? kind? text payload? COMMA;
kind: NAME NAME?;
text: STRING | UNCLOSED;
payload: OPEN field* CLOSE;
field: NAME NAME SEMICOLON;
