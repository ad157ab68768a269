import { type Html, html } from '../../http/index.ts'
import type { Standing } from '../consent/standing.ts'
import type { ConsentPage } from './consent-view.ts'
import type { Words } from './words.ts'

type Chooser = Exclude<Standing, { kind: 'nobody' }>

/** For one who is not signed in: the way there, or a key. */
export function keyForm(page: ConsentPage, words: Words): Html {
  return html`<a class="button" href="${page.signInPath}">${words.signIn}</a>
<p class="or">${words.orKey}</p>
${toForm(page, html`${keyField(page, words)}${buttons('key', words.continue, words)}`)}`
}

/** For one who is known: the groups they may choose from, or what to do where there are none. */
export function chooseForm(page: ConsentPage, standing: Chooser, words: Words): Html {
  const isEmpty = standing.groups.length === 0
  const choice = html`${groupList(page, standing, words)}${buttons('allow', words.allow, words)}`
  return html`${toWho(page, standing, words)}
${isEmpty ? emptyState(page, standing, words) : toForm(page, choice)}
${standing.by === 'sign_in' && keyInstead(page, words, isEmpty)}
${isEmpty && toForm(page, denyButton(words))}`
}

function toForm({ submitPath, open }: ConsentPage, content: Html): Html {
  return html`<form method="post" action="${submitPath}">
<input type="hidden" name="tx" value="${open.tx}">
<input type="hidden" name="csrf" value="${open.csrf}">
${content}
</form>`
}

function keyField({ error }: ConsentPage, words: Words): Html {
  const isWrong = error !== undefined && error !== 'missing_group'
  const described = isWrong ? 'error key-hint' : 'key-hint'
  return html`<label class="field" for="api_key">${words.key}</label>
<input class="text" id="api_key" name="api_key" type="password" required maxlength="512"
 autocomplete="off" autocapitalize="none" spellcheck="false" ${isWrong && html`autofocus `}
 aria-describedby="${described}" aria-invalid="${isWrong ? 'true' : 'false'}">
<p class="hint" id="key-hint">${words.keyHint}</p>`
}

function buttons(action: 'key' | 'allow', label: string, words: Words): Html {
  return html`<div class="buttons">
<button class="button main" name="action" value="${action}">${label}</button>
${denyButton(words)}
</div>`
}

function denyButton(words: Words): Html {
  return html`<button class="button" name="action" value="deny" formnovalidate>
${words.deny}</button>`
}

function toWho(page: ConsentPage, standing: Chooser, words: Words): Html {
  if (standing.by === 'sign_in') {
    const name = standing.principal.user_id ?? standing.principal.tenant_id
    return html`<div class="who"><span>${words.signedInAs(name)}</span></div>`
  }
  const other = html`<button class="link" name="action" value="other_key">
${words.otherKey}</button>`
  return html`<div class="who"><span>${words.keyAccepted}</span>${toForm(page, other)}</div>`
}

function groupList(page: ConsentPage, { groups }: Chooser, words: Words): Html {
  const legend = groups.length === 1 ? words.theGroup : words.chooseGroup
  const describedBy = page.error === 'missing_group' && html` aria-describedby="error"`
  return html`<fieldset${describedBy}>
<legend>${legend}</legend>
<div class="groups">${groups.map((group) => groupOption(group, groups.length === 1))}</div>
</fieldset>`
}

function groupOption(group: Chooser['groups'][number], isChecked: boolean): Html {
  const { group_id, name, description } = group
  const about = description !== '' && html`<span class="about">${description}</span>`
  return html`<label class="group">
<input type="radio" name="group_id" value="${group_id}" required${isChecked && html` checked`}>
<span><span class="name">${name}</span>${about}</span>
</label>`
}

function emptyState({ isForOneGroup }: ConsentPage, standing: Chooser, words: Words): Html {
  const { none, forOne, forAll } = words.noGroups
  const isBound = standing.kind === 'person' && standing.isBound
  const { title, text } = isBound
    ? words.noGroups.bound
    : { title: none, text: isForOneGroup ? forOne : forAll }
  return html`<div class="empty"><h2>${title}</h2><p>${text}</p></div>`
}

function keyInstead(page: ConsentPage, words: Words, isOpen: boolean): Html {
  const content = html`${keyField(page, words)}
<button class="button" name="action" value="key">${words.continue}</button>`
  const showsError = page.error !== undefined && page.error !== 'missing_group'
  return html`<details${(isOpen || showsError) && html` open`}>
<summary>${words.useKeyInstead}</summary>
${toForm(page, content)}
</details>`
}
