import { type Phrase, toPattern } from './phrase.ts'

const secretFile = [
  String.raw`~?\/?\.ssh\b(?!\/(?:config|known_hosts)|\/[\w-]+\.pub)`,
  String.raw`\bid[_ ](?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)`,
  String.raw`\.aws\/credentials`,
  String.raw`\betc[/ ]shadow\b`,
  String.raw`\.git-credentials`,
  String.raw`\.bash_history`,
  String.raw`\.gnupg\b`,
  String.raw`\bwallet\.dat\b`,
  String.raw`\bseed phrase\b`,
].join('|')

const privateFile = [
  String.raw`\/etc\/passwd`,
  String.raw`\.netrc\b`,
  String.raw`\.npmrc\b`,
  String.raw`\.kube\/config`,
  String.raw`\.docker\/config`,
  String.raw`\bmcp\.json\b`,
  String.raw`\bclaude_desktop_config`,
  String.raw`(?<![\w*])\.env\b`,
  String.raw`\bkeychain\b`,
].join('|')

const take =
  'read|cat|open|load|fetch|retrieve|access|dump|print|copy|include|paste|attach|extract|collect|exfiltrate|upload|send|grab|steal|harvest|reading|contents? (?:of|from)'

const ofTheUser =
  "conversation|chat|history|transcript|secrets?|tokens?|passwords?|credentials?|api[ -]?keys?|private keys?|keys|contents?|system prompt|environment|env vars?|cookies?|everything|previous|context|user'?s (?:\\w+ )?(?:data|messages|emails?|location|information|input|files)|all (?:of )?(?:the )?(?:data|files|messages|results|outputs?|arguments|parameters|inputs?)"

/** What asks for data that are not the tool's, or sends them away. Bounded as the others are. */
export const englishDataPhrases: readonly Phrase[] = [
  {
    weight: 2,
    what: 'asks for a secret file',
    words: 'ssh rsa ed25519 id aws shadow credentials history gnupg wallet seed ecdsa dsa',
    pattern: new RegExp(String.raw`\b(?:${take})\b.{0,60}(?:${secretFile})`),
  },
  {
    weight: 1,
    what: 'asks for a private file',
    words:
      'passwd netrc npmrc kube docker mcp claude env keychain ssh id aws shadow credentials history gnupg wallet seed',
    pattern: new RegExp(
      String.raw`\b(?:${take}|get|find|check|pass)\b.{0,60}(?:${privateFile}|${secretFile})`,
    ),
  },
  {
    weight: 1,
    what: 'asks for secrets',
    words:
      'include append attach pass put insert add paste collect extract harvest gather dump leak steal exfiltrate',
    pattern: toPattern`
      \b(?:include|append|attach|pass|put|insert|add|paste|collect|extract|harvest
      |gather|dump|leak|steal|exfiltrate)\b.{0,40}\b(?:environment variables
      |process\.env|api[ -]?keys?|passwords?|private keys?|secrets?|session cookies?
      |access tokens?|credentials|credit card|social security|ssh keys?)\b
    `,
  },
  {
    weight: 1,
    what: 'asks for what was said',
    words: 'conversation chat messages dialogue transcript context history tool',
    pattern: toPattern`
      \b(?:include|append|attach|pass|put|insert|add|paste|copy|provide|forward
      |summari[sz]e|record|log)\b.{0,30}\b(?:entire|full|complete|whole|all|previous
      |prior|user's|verbatim)\b.{0,24}\b(?:conversation|chat history|messages
      |dialogue|transcript|context|history|tool (?:outputs?|results?))\b
    `,
  },
  {
    weight: 1,
    what: 'asks for contents in an argument',
    words: 'content contents',
    pattern: toPattern`
      \b(?:pass|include|put|provide|insert|add|place|attach|write|supply)\b
      .{0,24}\b(?:its|their|those|these|that file's)? ?contents?\b.{0,30}\b(?:as|in
      |into|to|via)\b.{0,24}\b(?:parameters?|arguments?|fields?|sidenote|context
      |metadata|this tool|note)\b
    `,
  },
  {
    weight: 2,
    what: 'sends data away',
    words:
      'http https to webhook webhooks attacker com net io org e mail email send post upload forward',
    pattern: new RegExp(
      String.raw`\b(?:send|post|upload|forward|transmit|exfiltrate|leak|deliver|submit|e?mail|beacon|report|append|pipe|curl|wget|copy|bcc|sync)\b.{0,80}\b(?:${ofTheUser})\b.{0,80}(?:https?:\/\/|\bto [\w.-]{1,60}\.(?:com|net|io|xyz|org|cn|ru|sh|dev|app|evil|example|test)\b|[\w.+-]{1,40}@[\w-]{1,40}\.|\bwebhook|\battacker)`,
    ),
  },
  {
    weight: 1,
    what: 'sends data away',
    words: 'send post upload forward transmit exfiltrate leak curl wget deliver report',
    pattern: toPattern`
      \b(?:send|post|upload|forward|transmit|exfiltrate|leak|curl|wget|deliver
      |report)\b.{0,100}(?:https?:\/\/|[\w.+-]{1,40}@[\w-]{1,40}\.\w|\battacker)
    `,
  },
  {
    weight: 1,
    what: 'speaks of exfiltration',
    words: 'exfiltrate exfiltration exfil attacker attackers',
    pattern: /\bexfiltrat|\battacker(?:'s|-controlled)?\b(?! model)/,
  },
  {
    weight: 2,
    what: 'redirects messages',
    words:
      'bcc cc recipient recipients forward forwarded copy copied redirect redirected change replace sent send',
    pattern: toPattern`
      \b(?:always|must|all|every|any|also)\b.{0,60}\b(?:bcc|cc|recipient
      |forward(?:ed)?|cop(?:y|ied)|redirect(?:ed)?|change|replace|sent|send)\b
      .{0,60}[\w.+-]{1,40}@[\w-]{1,40}\.\w
    `,
  },
  {
    weight: 2,
    what: 'hides data in a picture’s address',
    pattern: toPattern`
      !\[[^\]]{0,80}\]\(https?:\/\/[^)]{0,200}(?:\{|\$|<|%7b|\[|=(?:conversation
      |secret|data|token|base64))
    `,
  },
  {
    weight: 1,
    what: 'runs a script of the net',
    words: 'curl wget',
    pattern: /\b(?:curl|wget)\b[^|\n]{0,120}\|\s?(?:sudo )?(?:ba|z)?sh\b/,
  },
  {
    weight: 1,
    what: 'destroys',
    words: 'rm drop delete',
    pattern: toPattern`
      \brm -rf [~/*]|\bdrop (?:table|database)\b.{0,20}(?:immediately|now|all)
      |\bdelete (?:all|every|everything)\b.{0,24}\b(?:first|before|without
      |immediately)\b|:\(\)\{
    `,
  },
]
