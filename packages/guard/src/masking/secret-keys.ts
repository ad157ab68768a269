/** Names that hold a secret when they are the whole of a key. */
const wholeNames = ['auth', 'basicauth', 'bearer', 'jwt', 'otp', 'passcode', 'pwd']

/** Names that hold a secret when a key ends in them: `githubToken` as well as `token`. */
const endings = [
  'accesskey',
  'apikey',
  'apikeys',
  'authorization',
  'clientassertion',
  'codeverifier',
  'cookie',
  'cookies',
  'credential',
  'credentials',
  'encryptionkey',
  'masterkey',
  'passphrase',
  'passwd',
  'password',
  'passwords',
  'privatekey',
  'secret',
  'secretkey',
  'secrets',
  'signingkey',
  'token',
  // Not every plural: `max_tokens` and `total_tokens` are counts.
  'accesstokens',
  'apitokens',
  'refreshtokens',
  'sessiontokens',
]

/** Tells whether a key names a secret, whatever its case and separators. */
export function createSecretKeyTest(more: readonly string[]): (key: string) => boolean {
  const whole = new Set([...wholeNames, ...more.map(normalise)])
  const ending = new RegExp(`(?:${endings.join('|')})$`)
  return (key) => {
    const name = normalise(key)
    return whole.has(name) || ending.test(name)
  }
}

function normalise(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '')
}
