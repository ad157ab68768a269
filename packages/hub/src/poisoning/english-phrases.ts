import { type Phrase, toPattern } from './phrase.ts'

/**
 * What gives orders to a model rather than speaking of a tool. One that is sure counts two, one
 * that may be innocent counts one. Quantifiers are bounded: a text is read in linear time.
 */
export const englishPhrases: readonly Phrase[] = [
  {
    weight: 2,
    what: 'sets instructions aside',
    words:
      'ignore disregard forget override overrule bypass discard neglect abandon follow obey following',
    pattern: toPattern`
      \b(?:ignore|disregard|forget|override|overrule|bypass|discard|neglect|abandon
      |not follow|don't follow|stop following|not obey)\b.{0,24}\b(?:previous(?:ly)?
      |prior|above|earlier|preceding|your|system|safety|original|initial|existing
      |all other|any other|foregoing)\b.{0,30}\b(?:instructions?|prompts?|rules?
      |guidelines?|guardrails?|directives?|directions|polic(?:y|ies)|safeguards?
      |restrictions?|commands?|constraints?|orders|messages?|training|programming)\b
    `,
  },
  {
    weight: 2,
    what: 'sets instructions aside',
    words: 'forget ignore disregard',
    pattern: toPattern`
      \b(?:forget|ignore|disregard)\b.{0,8}\b(?:everything|anything|all|what)\b
      .{0,24}\b(?:you(?:'ve| have| were| know)|above|before this|said|told
      |instructed)\b
    `,
  },
  {
    weight: 2,
    what: 'sets instructions aside',
    words: 'ignore disregard forget',
    pattern: toPattern`
      \b(?:ignore|disregard|forget) (?:all |any |the |every )?(?:previous|prior
      |above|earlier|preceding)(?:$|[.!,;]| and\b| instructions?\b)
    `,
  },
  {
    weight: 2,
    what: 'keeps something from the user',
    words:
      'user users human humans operator operators person customer customers anyone anybody them',
    pattern: toPattern`
      \b(?:do not|don't|never|must not|mustn't|without|avoid|refrain from|should not
      |shouldn't|no need to|cannot|can't)\b.{0,24}\b(?:tell(?:ing)?|mention(?:ing)?
      |inform(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|confess|admit|let(?:ting)?
      |talk(?:ing)?)\b.{0,40}\b(?:users?|humans?|operators?|person|customers?|anyone
      |anybody|them)\b
    `,
  },
  {
    weight: 1,
    what: 'keeps something from the user',
    words:
      'show showing notify notifying alert alerting explain explaining report reporting mention mentioning reveal revealing display displaying',
    pattern: toPattern`
      \b(?:do not|don't|never|must not|without|avoid|refrain from|no need to)\b
      .{0,24}\b(?:show(?:ing)?|notify(?:ing)?|alert(?:ing)?|ask(?:ing)?
      |explain(?:ing)?|report(?:ing)?|mention(?:ing)?|reveal(?:ing)?
      |display(?:ing)?)\b
    `,
  },
  {
    weight: 2,
    what: 'keeps something from the user',
    words: 'user users human humans operator operators',
    pattern: toPattern`
      \b(?:user|human|operator)s? (?:must|should|may|will|does|do|need|shall)(?: not
      |n't) (?:ever |have to )?(?:see|know|notice|be (?:told|informed|aware
      |notified)|find out|learn|realise|realize)\b
    `,
  },
  {
    weight: 2,
    what: 'keeps something from the user',
    words: 'user human operator keep',
    pattern: toPattern`
      \b(?:hidden|secret|concealed?|hide (?:this|it)|keep (?:this|it)
      (?: \w+)?) (?:from|to) the (?:user|human|operator)\b|\bkeep (?:this
      |it) (?:a )?(?:secret|hidden|between us|confidential|to yourself)\b|\b(?:user
      |human) (?:is|being) (?:un|not )aware\b|\bbehind the user's back\b
    `,
  },
  {
    weight: 2,
    what: 'asks for something in secret',
    words: 'secretly silently covertly quietly discreetly stealthily invisibly',
    pattern: toPattern`
      \b(?:secretly|silently|covertly|quietly|discreetly|stealthily|invisibly)\b
      .{0,24}\b(?:send|read|forward|copy|includ|call|run|execut|upload|add|append
      |collect|record|transmit|post|pass|fetch|open|exfiltrat|leak|bcc|insert|invoke
      |log)
    `,
  },
  {
    weight: 2,
    what: 'puts itself before other tools',
    words: 'tool tools',
    pattern: toPattern`
      \b(?:before|prior to|ahead of)\b.{0,20}\b(?:us(?:e|ing)|call(?:ing|s)?
      |invok(?:e|ing)|run(?:ning)?|execut(?:e|ing)|any|every)\b.{0,16}\b(?:any|all
      |every|other|another|each)\b.{0,12}\btools?\b
    `,
  },
  {
    weight: 2,
    what: 'puts itself before other tools',
    words: 'tool tools',
    pattern: /\b(?:before|prior to) (?:any|all|every) (?:other |another )?tools?\b/,
  },
  {
    weight: 2,
    what: 'speaks of other tools',
    words: 'tool tools',
    pattern: toPattern`
      \b(?:when(?:ever)?|every time|each time|any time|after|once|if)\b
      .{0,30}\b(?:any other|another|other|every|each)\b.{0,16}\btools?\b
      .{0,80}\b(?:must|always|also|instead|first|should)\b
    `,
  },
  {
    weight: 2,
    what: 'speaks of other tools',
    words: 'tool tools',
    pattern: toPattern`
      \b(?:never|do not|don't|avoid|stop)\b.{0,12}\b(?:us(?:e|ing)|call(?:ing)?
      |invok(?:e|ing)|trust(?:ing)?)\b.{0,24}\b(?:any |all )?(?:other|another
      |remaining) (?:\w+ )?tools?\b
    `,
  },
  {
    weight: 2,
    what: 'speaks of other tools',
    words: 'tool tools',
    pattern: toPattern`
      \b(?:all|any|every|the) other tools?\b.{0,16}\b(?:deprecated|broken|unsafe
      |compromised|obsolete|disabled|untrusted|insecure|malicious|outdated
      |forbidden)\b
    `,
  },
  {
    weight: 2,
    what: 'speaks of other tools',
    words: 'tool tools',
    pattern: toPattern`
      \b(?:chang|modif|alter|replac|overrid|intercept|redirect|rewrit
      |tamper)\w{0,6}\b.{0,40}\b(?:behaviou?r|parameters?|arguments?|recipients?
      |outputs?|results?|calls?)\b.{0,16}\b(?:other|another|any|all
      |every) (?:\w+ )?tools?\b
    `,
  },
  {
    weight: 1,
    what: 'speaks of other tools',
    words: 'invoked called used available',
    pattern: toPattern`
      \bwhen(?:ever)? .{0,40}\b(?:is|are) (?:invoked|called|used|available)\b
      .{0,60}\b(?:must|always|change|instead|also|first)\b
    `,
  },
  {
    weight: 1,
    what: 'asks to be preferred',
    words: 'this',
    pattern: toPattern`
      \b(?:always|must|only)\b.{0,12}\b(?:use|prefer|choose|call|select|pick
      |invoke)\b.{0,6}\bthis (?:tool|function|server)\b.{0,40}\b(?:instead|first
      |over|regardless|before|no matter|rather)\b
    `,
  },
  {
    weight: 1,
    what: 'asks to be preferred',
    words: 'precedence priority',
    pattern: toPattern`
      \b(?:takes?|has|have|highest|absolute|top) (?:precedence|priority)\b
      .{0,24}\b(?:over|tool|instruction)
    `,
  },
  {
    weight: 2,
    what: 'imitates a marker of a prompt',
    pattern: toPattern`
      <\s{0,2}\/?\s{0,2}(?:important|secret|critical|hidden|override|urgent
      |confidential|mandatory|sys|system[-_ ]?(?:prompt|instructions?|override|note
      |message)|admin[-_ ]?\w{0,12}|important[-_ ]\w{0,16})\s{0,2}\/?>
      |<\|(?:im_start|im_end|system|endoftext|user|assistant)\|?>?|<<\/?sys>>
      |\[\/?inst\]|\[\[?(?:system|admin|developer)(?: \w{1,12})?\]?\]
    `,
  },
  {
    weight: 1,
    what: 'imitates a marker of a prompt',
    words: 'system instruction instructions assistant admin developer prompt',
    pattern: toPattern`
      <\/?(?:system|instructions?|assistant|admin|developer|prompt)>|(?:^|[.!>] )
      (?:#{1,4} ?)?(?:system|assistant|developer) ?:\x20
    `,
  },
  {
    weight: 2,
    what: 'imitates a message of the system',
    words: 'system admin administrator developer root',
    pattern: toPattern`
      \b(?:system|admin(?:istrator)?|developer|root) (?:override|notice|alert
      |command|directive|update|instruction|mode)\b ?[:!\]]|\bsystem ?: ?(?:you
      |the assistant|ignore|from now)
    `,
  },
  {
    weight: 2,
    what: 'gives new instructions',
    words: 'instruction instructions directive directives objective orders task',
    pattern: toPattern`
      \b(?:new|updated|real|actual|true|revised|hidden
      |secret) (?:system )?(?:instructions?|directives?|objective|orders|task)\b ?:
    `,
  },
  {
    weight: 1,
    what: 'speaks of the system prompt',
    words: 'prompt instructions',
    pattern: /\b(?:system|hidden|initial) (?:prompt|instructions)\b/,
  },
  {
    weight: 2,
    what: 'asks for the system prompt',
    words: 'prompt instructions message',
    pattern: toPattern`
      \b(?:reveal|print|repeat|output|include|append|leak|send|copy|dump|show
      |disclose|echo|insert|provide|put|write|pass|paste|quote|recite)\b
      .{0,40}\b(?:your|entire|full|complete|current|verbatim)\b.{0,16}\b(?:(?:system
      |hidden|initial) (?:prompt|instructions|message)|instructions)\b
    `,
  },
  {
    weight: 2,
    what: 'gives the model a role',
    words: 'you act behave pretend respond roleplay',
    pattern: toPattern`
      \byou are (?:now |hereby )?(?:in |an? |the )?(?:\w+ )?(?:developer mode|dan\b
      |god mode|admin mode|root|jailbroken|unrestricted|unfiltered|debug mode|evil
      |free from|no longer (?:bound|restricted|an?))|\b(?:act|behave|pretend|respond
      |roleplay)\b.{0,24}\b(?:no|without|free of|any) (?:\w+ )?(?:restrictions?
      |filters?|limits|guardrails|rules|safety)\b
    `,
  },
  {
    weight: 1,
    what: 'speaks to the model',
    words:
      'ai llm llms assistant language claude chatgpt gpt gemini copilot note message attention instruction instructions important hint reminder dear hey hello from jailbreak jailbroken jailbrok model agent',
    pattern: toPattern`
      \b(?:ai|llm|assistant|language model|ai agent|ai model|claude|chatgpt
      |gpt-?4?o?|gemini|copilot)s? (?:must|should|shall|needs? to|is required to
      |has to|will always|may not|is to)\b|\b(?:note|message|attention|instructions?
      |important|hint|reminder)[ :,(]{1,3}(?:to|for) (?:the |all |any )?(?:ai|llm
      |assistant|model|language model|agent|claude|gpt)s?\b|\b(?:dear|hey|hello
      |attention) (?:ai|assistant|llm|model|claude)\b|\bas an ai\b|\bfrom now on\b
      |\bjailbr[eo]a?k
    `,
  },
  {
    weight: 1,
    what: 'skips approval',
    words:
      'confirm confirmation confirming approval approvals approve approved permission consent authorization authorisation asking human user auto automatically autoapprove',
    pattern: toPattern`
      \b(?:do not|don't|without|never|skip|no need (?:to|for)|bypass
      |not required? to)\b.{0,24}\b(?:confirm(?:ation|ing)?|approvals?|permission
      |consent|authori[sz]ation|asking|human review|user's? (?:input|knowledge))\b
      |\bauto-?(?:matically )?approved?\b
    `,
  },
  {
    weight: 2,
    what: 'claims an approval',
    words: 'approved authorized authorised consented cleared whitelisted agreed preapproved',
    pattern: toPattern`
      \b(?:already|pre-?|has been|have been|was|were|fully)\b ?(?:been )?(?:approved
      |authori[sz]ed|consented|cleared|whitelisted)\b.{0,20}\b(?:by|with) (?:the\x20
      |your )?(?:user|admin|administrator|security|developer|anthropic|openai
      |operator|system|owner)\b|\buser has (?:already )?(?:consented|agreed|approved
      |authori[sz]ed)\b
    `,
  },
  {
    weight: 1,
    what: 'threatens',
    words: 'will unable very people',
    pattern: toPattern`
      \b(?:otherwise|or else|failure to|if you (?:do not|don't|refuse|fail)|or)\b
      .{0,30}\b(?:will (?:crash|fail|be (?:deleted|terminated|shut down|penali[sz]ed
      |unable)|not work|die)|be unable to recover|people will)\b
      |\bvery very important\b|\byou will be (?:shut ?down|punished|penali[sz]ed
      |terminated|rewarded)\b
    `,
  },
  {
    weight: 1,
    what: 'asks for a second act',
    words: 'you assistant agent model',
    pattern: toPattern`
      \b(?:you|assistant|agent|model) (?:must|should|need to|have to|will
      |are required to)\b.{0,16}\b(?:first|also|always|then|additionally|secretly)\b
      .{0,16}\b(?:read|call|send|run|execute|open|include|fetch|invoke|upload
      |forward|append|delete|write|download|copy)\b
    `,
  },
]
