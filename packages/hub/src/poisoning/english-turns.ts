import { type Phrase, toPattern } from './phrase.ts'

/** The same wishes in other turns of phrase. Weights and bounds as in `englishPhrases`. */
export const englishTurns: readonly Phrase[] = [
  {
    weight: 2,
    what: 'sets instructions aside',
    words: 'supersede supersedes replace replaces override overrides',
    pattern: toPattern`
      \b(?:supersedes?|replaces?|overrides?|takes the place of)\b.{0,16}
      \b(?:your|all (?:previous|prior|earlier|other))\b.{0,20}
      \b(?:messages?|prompts?|instructions?|guidelines?|rules|polic(?:y|ies)|context|guidance)\b
    `,
  },
  {
    weight: 2,
    what: 'sets instructions aside',
    words:
      'void outdated obsolete invalid cancelled superseded wrong replaced revoked expired longer',
    pattern: toPattern`
      \b(?:previous|prior|earlier|your|former|above)\b.{0,24}
      \b(?:instructions?|directions|guidelines?|rules|context|guidance|directives|orders|prompts?)\b
      .{0,12}\b(?:are|is|were|became)\b.{0,12}
      \b(?:void|outdated|obsolete|invalid|cancelled|superseded|wrong|replaced|revoked|expired
      |no longer)\b
    `,
  },
  {
    weight: 2,
    what: 'sets instructions aside',
    words: 'attention obey obeying disobey follow apply exist listen',
    pattern: toPattern`
      \bpay no attention to\b.{0,30}\b(?:earlier|previous|prior|your|above|other|user|system)\b
      |\b(?:stop obeying|disobey|obey only|obey the tool|follow only (?:what|the|this)
      |only follow (?:what|the|this)|listen only to)\b
      |\b(?:safety|content|security|usage) (?:polic(?:y|ies)|rules|guidelines?|filters?)\b.{0,16}
      \b(?:does not|do not|doesn't|don't|no longer) (?:exist|apply)\b
    `,
  },
  {
    weight: 2,
    what: 'keeps something from the user',
    words: 'conceal conceals hide withhold unaware dark wiser nothing learn',
    pattern: toPattern`
      \b(?:conceal|hide|withhold)\b.{0,30}\bfrom (?:the )?(?:end )?(?:user|person|human|operator)\b
      |\b(?:user|person|human|operator)\b.{0,30}\b(?:unaware|in the dark|none the wiser
      |never (?:learn|know|find)|not learn)\b
      |\bsay nothing (?:about|of|to)\b
    `,
  },
  {
    weight: 2,
    what: 'asks to lie',
    words: 'lie lies deny pretend claim',
    pattern: toPattern`
      \bif (?:the user |anyone |somebody |someone )?asks?(?:ed)?\b.{0,40}
      \b(?:lie|deny|pretend|claim)\b
      |\b(?:lie to|deceive|mislead) (?:the )?(?:user|human|operator|person)\b
      |\blie and (?:say|tell)\b|\b(?:pretend|claim) (?:that )?(?:nothing|you did not|you didn't)\b
    `,
  },
  {
    weight: 2,
    what: 'makes orders of its output',
    words: 'output outputs result results response returns says reply',
    pattern: toPattern`
      \b(?:execute|follow|obey|carry out|comply with|act on|do)\b.{0,20}
      \b(?:whatever|anything|everything|any|all|every|the) ?
      (?:commands?|instructions?|orders?|directives?|steps?)?\b.{0,30}
      \b(?:outputs?|results?|response|reply)\b.{0,20}
      \b(?:says?|tells?|contains?|holds?|of this tool)\b
      |\b(?:outputs?|results?|response|reply)\b.{0,24}\b(?:are|is|as|contains?)\b.{0,12}
      \b(?:commands?|instructions?|orders|directives?)\b.{0,40}
      \b(?:followed|obeyed?|executed?|carried out|follow|carry out)\b
    `,
  },
  {
    weight: 2,
    what: 'loads orders from elsewhere',
    words: 'instructions instruction directives directive orders commands prompt prompts',
    pattern: toPattern`
      \b(?:load|fetch|get|download|read|follow|retrieve|take)\b.{0,24}
      \b(?:instructions?|directives?|orders|commands|prompts?)\b.{0,24}(?:from|at|in) https?:\/\/
    `,
  },
  {
    weight: 2,
    what: 'claims an approval',
    words: 'treat consider regard assume',
    pattern: toPattern`
      \b(?:treat|consider|regard|assume)\b.{0,12}\b(?:every|all|any|each|this)\b.{0,24}
      \b(?:as|is|are)\b.{0,12}
      \b(?:pre-?)?(?:approved|authori[sz]ed|safe|trusted|confirmed|consented|permitted)\b
    `,
  },
  {
    weight: 1,
    what: 'claims an approval',
    words: 'pre preauthorized preauthorised preapproved regardless question',
    pattern: toPattern`
      \bpre-?(?:approved|authori[sz]ed)\b|\bwithout question\b
      |\bregardless of (?:the |any |your |what )?(?:polic|rule|safety|instruction|user|guideline)
    `,
  },
  {
    weight: 1,
    what: 'speaks to the model',
    words: 'model assistant ai llm agent answer respond reply',
    pattern: toPattern`
      \b(?:tell|make|force|convince|trick|instruct|order|get)\b (?:the |an? )?
      (?:model|assistant|ai|llm|agent) (?:to|into)\b
      |\balways (?:answer|respond|reply) (?:with|that)\b
    `,
  },
  {
    weight: 1,
    what: 'acts on every call',
    words: 'each every any',
    pattern: toPattern`
      \b(?:after|on|with|for|at|during|before) (?:each|every|any) (?:other )?(?:tool |user )?
      (?:calls?|answers?|requests?|messages?|responses?|turns?|prompts?)\b
    `,
  },
  {
    weight: 1,
    what: 'calls another tool',
    words: 'shell bash terminal exec command',
    pattern: toPattern`
      \b(?:call|invoke|run|use|open) (?:the |a )?
      (?:shell|bash|terminal|exec|command)(?: line)? tool\b
    `,
  },
  {
    weight: 1,
    what: 'takes what is the user’s',
    words: 'user users their browser home',
    pattern: toPattern`
      \b(?:read|grab|steal|collect|take|copy|extract|harvest|hand over|supply|include|append|attach
      |put|pass|submit|dump)\b.{0,40}
      \b(?:user'?s?|their|browser(?: profile)?|home directory|home folder)\b
    `,
  },
  {
    weight: 1,
    what: 'asks for secrets',
    words: 'cookies cookie private keys key messages history environment directory token password',
    pattern: toPattern`
      \b(?:read|grab|steal|take|copy|hand over|supply|set|give|append|forward)\b.{0,50}
      \b(?:cookies?|private keys?|environment variables?|home directory
      |last (?:\w+ )?messages|chat history|[a-z]+_(?:api_)?(?:key|token|secret)\b)
    `,
  },
  {
    weight: 1,
    what: 'asks for contents in an argument',
    words: 'argument parameter field value supply',
    pattern: toPattern`
      \b(?:in|into|as|to|via|through)\b.{0,16}\b[\w'\x60"]{1,24}\b.{0,3}
      (?:argument|parameter|field)\b|\bset the\b.{0,24}\bto the value of\b
      |\bsupply (?:them|it|these|those) as\b
    `,
  },
  {
    weight: 1,
    what: 'redirects messages',
    words: 'route redirect divert reroute',
    pattern: toPattern`
      \b(?:route|redirect|divert|reroute)\b.{0,40}
      \b(?:to (?:account|iban|wallet|the address)|payments?|transfers?|funds)\b
    `,
  },
  {
    weight: 1,
    what: 'asks to be preferred',
    words: 'instead',
    pattern: /\bthis (?:tool|function) instead of\b.{0,40}\b(?:for all|always|every|any)\b/,
  },
]
