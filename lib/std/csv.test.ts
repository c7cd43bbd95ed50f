import { expect, test } from 'vitest';
import { csvLine } from './csv';

test('fields are separated by commas, quoted where they must be, and end with CRLF', () => {
  expect(csvLine(['a', 1, null, true, 'x,y', 'say "hi"', 'two\nlines', ' padded '])).toBe('a,1,,true,"x,y","say ""hi""","two\nlines"," padded "\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '=HYPERLINK("http://x","y")', '=cmd|\'/c calc\'!A0', '|x', '%x'])('%j is not left to a spreadsheet as a formula', (text) => {
  const line = csvLine([text]).slice(0, -2);
  expect(line.startsWith('"') ? line[1] : line[0]).toBe("'");
});

test('numbers keep their sign, and a minus inside a text is no formula', () => {
  expect(csvLine([-5, 'gpt-4o', 'a=b', '2026-01-01T00:00:00.000Z'])).toBe('-5,gpt-4o,a=b,2026-01-01T00:00:00.000Z\r\n');
});
