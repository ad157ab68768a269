/** Names that hold a secret when they are the whole of a key. */
const wholeNames = ['auth', 'basicauth', 'bearer', 'jwt', 'otp', 'passcode', 'pwd']

/** Names that hold a secret when they are some of a key's words: `secret_value`, `setCookie`. */
const words = ['authorization', 'cookies?', 'secrets?', 'tokens?'].join('|')

/** Names that hold a secret anywhere in a key, also unseparated: `passwordhash`. */
const parts = [
  '(?:access|api|encryption|master|private|secret|signing)-?keys?',
  '(?:access|refresh|session)-?tokens?',
  'client-?assertion',
  'code-?verifier',
  'credentials?',
  'passphrases?',
  'passw(?:or)?ds?',
].join('|')

/** Names that hold a secret when a key ends in them, also unseparated: `githubtoken`. */
const endings = ['authorization', 'cookies?', 'secrets?', 'secret-?id', 'token'].join('|')

/** Words after a name that make it something about the secret: `token_type`, `api_key_id`. */
const about = [
  'counts?|limits?|budget|usage|used|left|remaining|per|details|length|min|max',
  'types?|ids?|names?|policy|required|enabled|supported|endpoints?|servers?',
  'created|updated|rotated|expires|expired|expiry|ttl',
].join('|')

/** Words beside `tokens` that make it a number of them: `max_tokens`, `prompt_tokens`. */
const counting =
  'max|min|num|n|total|prompt|completion|input|output|cached|reasoning|thinking|audio|prediction'

const notAbout = `(?!s?-(?:${about})(?:-|$))`
const secret = new RegExp(
  `(?:^|-)(?:${words})(?=-|$)${notAbout}|(?:${parts})${notAbout}|(?:${endings})$`,
)
const counts = new RegExp(`(?:^|-)(?:${counting})(?=-|$)`)

/** Tells whether a key names a secret, whatever its case and separators. */
export function createSecretKeyTest(more: readonly string[]): (key: string) => boolean {
  const whole = new Set([...wholeNames, ...more.map(normalise)])
  return (key) => whole.has(normalise(key)) || secret.test(withoutCounts(toWords(key)))
}

function normalise(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** `X-APIKey_old` becomes `x-api-key-old`. */
function toWords(key: string): string {
  return key
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
}

function withoutCounts(name: string): string {
  return counts.test(name) ? name.replace(/(?<=^|-)tokens(?=-|$)/g, '') : name
}
