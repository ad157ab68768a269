import { startModelStandIn } from '@dataagent/testkit'

/** A model that has read its prompt and knows nothing else: a line of it for each subject. */
export function startReadingModel() {
  return startModelStandIn({
    script({ turns }) {
      const prompt = turns.find(({ role }) => role === 'system')?.text ?? ''
      const asked = turns.findLast(({ role }) => role === 'user')?.text ?? ''
      const facts = [...prompt.matchAll(/^- (\w+): (.*)$/gm)]
      const fact = facts.find(([, subject = '']) => asked.includes(subject))
      return fact ? `As for ${fact[1]}: ${fact[2]}` : 'I do not know.'
    },
  })
}
