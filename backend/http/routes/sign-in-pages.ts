import type { OpenIdName, Scope } from '../../../contract/permissions.ts';

/**
 * The pages that people see at sign-in: plain HTML without a script, one style sheet in the page whose digest the
 * Content-Security-Policy names. Everything that comes from outside goes through `escaped`.
 */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #f5f6f8; --card: #fff; --line: #c7ccd3; --accent: #0b57d0; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --paper: #15181c; --card: #1f2328; --line: #4a515a; --accent: #8ab4f8; --bad: #f2b8b5 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 26rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem }
h1 { margin: 0 0 1rem; font-size: 1.4rem; line-height: 1.25 }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
input { width: 100%; padding: .6rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .4rem }
button { padding: .6rem 1.2rem; font: inherit; font-weight: 600; cursor: pointer; border: 1px solid var(--accent); border-radius: .4rem; background: transparent; color: var(--accent) }
button.main { background: var(--accent); color: var(--card) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
ul { padding-left: 1.2rem } code { overflow-wrap: anywhere }
.row { display: flex; gap: .75rem; margin-top: 1.5rem } .bad { color: var(--bad); font-weight: 600 } .quiet { font-size: .9rem }
`;

/** What a person reads about each scope. */
const SCOPE_SENTENCES: Readonly<Record<Scope | OpenIdName, string>> = {
  VEHICLE_COMMANDS: 'Send commands to vehicles and their boxes, such as unlocking',
  VEHICLES: 'See, add, change and remove vehicles',
  VEHICLES_RO: 'See vehicles and their state',
  VEHICLE_CONFIGURATION: 'See and change the configuration of boxes',
  VEHICLE_CONFIGURATION_RO: 'See the configuration of boxes',
  MESSAGE_SUBSCRIPTIONS: 'Subscribe to messages of vehicles',
  OPENID: 'Know who you are',
  openid: 'Know who you are',
};

/** The target of a form, and the token that proves that the form is ours. */
export interface FormFacts {
  readonly action: string;
  readonly formToken: string;
}

/** `notice`: why the last attempt failed. */
export function signInPage(
  facts: FormFacts & {
    readonly clientId: string;
    readonly name: string;
    readonly notice: string | undefined;
  },
): string {
  const notice = facts.notice === undefined ? '' : `<p class="bad" role="alert">${escaped(facts.notice)}</p>`;
  return page(
    'Sign in',
    `<h1>Sign in</h1>
<p>to continue to <code>${escaped(facts.clientId)}</code></p>
${notice}
<form method="post" action="${escaped(facts.action)}">
${hidden(facts, 'sign-in')}
<label for="name">Name</label>
<input id="name" name="name" value="${escaped(facts.name)}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<div class="row"><button class="main" type="submit">Sign in</button></div>
</form>`,
  );
}

export function consentPage(
  facts: FormFacts & {
    readonly clientId: string;
    readonly userName: string;
    readonly scopes: readonly string[];
    readonly leadsTo: string;
  },
): string {
  const items = facts.scopes
    .map((scope) => `<li>${escaped(SCOPE_SENTENCES[scope as keyof typeof SCOPE_SENTENCES] ?? scope)}</li>`)
    .join('\n');
  return page(
    'Allow access',
    `<h1>Allow <code>${escaped(facts.clientId)}</code> to act for you?</h1>
<p>It will be able to:</p>
<ul>
${items}
</ul>
<p class="quiet">You will be redirected to <code>${escaped(facts.leadsTo)}</code>.</p>
<form method="post" action="${escaped(facts.action)}">
${hidden(facts, 'consent')}
<div class="row"><button class="main" type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button></div>
</form>
<form method="post" action="${escaped(facts.action)}">
${hidden(facts, 'sign-out')}
<p class="quiet">Signed in as <strong>${escaped(facts.userName)}</strong>.</p>
<button type="submit">Sign out</button>
</form>`,
  );
}

/** A page with a message only. */
export function noticePage(title: string, sentence: string): string {
  return page(title, `<h1>${escaped(title)}</h1>\n<p role="alert">${escaped(sentence)}</p>`);
}

function hidden({ formToken }: FormFacts, deed: string): string {
  return `<input type="hidden" name="form_token" value="${escaped(formToken)}">
<input type="hidden" name="deed" value="${deed}">`;
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML, in an element or in a quoted attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
