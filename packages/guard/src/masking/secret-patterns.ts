/** Names after which a value in running text is a secret: header lines, queries, forms, JSON. */
const nouns = [
  '(?:api|access|encryption|master|private|secret|signing)[_-]?keys?',
  'credentials?',
  'passphrase',
  'passw(?:or)?d',
  'pwd',
  'secret',
  'token',
].join('|')
const names = `(?:${nouns})(?:[_-]?(?:base64|hash|pem|value))?`

/** Headers whose value goes on to the end of the line. */
const lineNames = 'authorization|cookie'
const separator = String.raw`\\*["']?\s*[:=]\s*`
// Before a value in quotes: also `"token", "value"` and `"name": "token", "value": "value"`.
const quoteSeparator = String.raw`(?:${separator}|\\*["']\s*,\s*(?:\\*["']?value${separator})?)`

/** A quoted text that is not the end of a JSON string. */
const quoted = String.raw`\\{0,8}["'](?![,:}\]\s])(?:(?!\\{0,8}["'])[^\r\n])*\\{0,8}["']`

// Each alternative masks all but its `keep`. No repetition may start at every character of a long
// run and fail only at its end: that would take quadratic time.
const alternatives = [
  // PEM private keys, also cut off or with escaped line ends.
  String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)`,
  // Cookie: value, as a line of its own.
  String.raw`(?<keep>(?<=(?:^|[\r\n])[ \t<>*]{0,4}[\w-]{0,40})(?i:${lineNames})\s*:\s*)[^\r\n]+`,
  // "token": "value", with escapes inside.
  String.raw`(?<keep>(?i:${names}|${lineNames})${quoteSeparator}")(?:\\[\s\S]|[^"\\])+`,
  String.raw`(?<keep>(?i:${names}|${lineNames})${quoteSeparator}')(?:\\[\s\S]|[^'\\])+`,
  // \"token\": \"value\": JSON inside JSON; the value ends at a quote escaped just as often.
  String.raw`(?<keep>(?i:${names}|${lineNames})${quoteSeparator}(?<quote>\\+["']))(?:(?!(?<!\\)\k<quote>)[\s\S])+`,
  // Authorization: Digest name="value", within a line: to its end or to that of a JSON string.
  String.raw`(?<keep>(?i:${lineNames})${separator})(?:=${quoted}|\\{1,8}\/|[^\r\n"'\\])+`,
  // --token value, --token=value
  String.raw`(?<keep>(?<![\w-])--?[\w-]{0,40}?(?i:${names}|${lineNames})(?:\s+|=))(?:"[^"]*"|'[^']*'|[^\s"'\\-][^\s"'\\]*)`,
  // token=value
  String.raw`(?<keep>(?i:${names})${separator})(?!(?:null|true|false)\b)[^\s&;,"'<>{}()[\]\\]+`,
  // Bearer value
  String.raw`(?<keep>\b(?i:bearer)\s+)(?!\w{1,30}=["'])[\w.~+/=-]{6,}`,
  String.raw`(?<keep>\b(?i:basic)\s+)(?=[a-z]*[A-Z0-9+/=])[A-Za-z0-9+/=]{8,}`,
  // https://user:password@host
  String.raw`(?<keep>:\/\/)[^\s/?#"'<>\\]{1,1024}(?=@)`,
  // Keys of ours and of well-known services.
  String.raw`\b(?:da_|sk-|glpat-|gh[pousr]_|github_pat_|xox[abeprs]-|AKIA|AIza)[\w-]{16,}`,
  // JSON Web Tokens
  String.raw`(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*`,
]

const pattern = new RegExp(alternatives.join('|'), 'g')

/** The text with all that looks like a secret replaced by `mask`. */
export function maskPatterns(text: string, mask: string): string {
  return text.replace(pattern, (...found) => {
    const groups: { keep?: string } = found.at(-1)
    return (groups.keep ?? '') + mask
  })
}
