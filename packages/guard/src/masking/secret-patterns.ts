/** Names after which a value in running text is a secret: header lines, queries, forms, JSON. */
const names = [
  'api[_-]?key',
  'access[_-]?key',
  'auth[_-]?token',
  'credentials?',
  'passphrase',
  'passw(?:or)?d',
  'private[_-]?key',
  'pwd',
  'secret(?:[_-]?key)?',
  'token',
].join('|')

/** Headers whose value goes on to the end of the line. */
const lineNames = 'authorization|cookie'
const separator = String.raw`\\*["']?\s*[:=]\s*`

// Each alternative masks all but its `keep`. No repetition may start at every character of a long
// run and fail only at its end: that would take quadratic time.
const alternatives = [
  // PEM private keys, also cut off or with escaped line ends.
  String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)`,
  // "token": "value", with escapes inside.
  String.raw`(?<keep>(?i:${names}|${lineNames})${separator}")(?:\\[\s\S]|[^"\\])+`,
  String.raw`(?<keep>(?i:${names}|${lineNames})${separator}')(?:\\[\s\S]|[^'\\])+`,
  // \"token\": \"value\": JSON inside JSON; the value ends at a quote escaped just as often.
  String.raw`(?<keep>(?i:${names}|${lineNames})${separator}(?<quote>\\+["']))(?:(?!(?<!\\)\k<quote>)[\s\S])+`,
  // Authorization: Basic value
  String.raw`(?<keep>(?i:${lineNames})${separator})[^\r\n"'\\]+`,
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
