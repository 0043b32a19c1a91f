/** What a browser shows, or where it was led that is not ours. */
export interface ShownPage {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
  /** Its current address: that of the page, or the one of another origin that it was redirected to and did not fetch. */
  readonly at: URL;
  readonly isElsewhere: boolean;
}

/** One form of a page, with its hidden fields. */
export interface PageForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** As much of a browser as a sign-in needs: cookies, redirects, forms. No script, since the pages have none. */
export class FakeBrowser {
  readonly cookies = new Map<string, string>();
  readonly #send: (request: Request) => Promise<Response>;

  /** `send` answers a request without following redirects. */
  constructor(send: (request: Request) => Promise<Response>) {
    this.#send = send;
  }

  open(address: string | URL): Promise<ShownPage> {
    return this.#go(new URL(address), { method: 'GET' });
  }

  /** Submits the form of `deed` with these values. */
  submit(shown: ShownPage, deed: string, filled: Readonly<Record<string, string>> = {}): Promise<ShownPage> {
    const form = formsOf(shown.html).find((one) => one.fields['deed'] === deed);
    if (form === undefined) throw new Error(`no form ${deed} in ${shown.status} ${shown.html}`);
    return this.post(new URL(form.action, shown.at), { ...form.fields, ...filled });
  }

  post(address: URL, fields: Readonly<Record<string, string>>): Promise<ShownPage> {
    return this.#go(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  }

  async #go(address: URL, init: RequestInit): Promise<ShownPage> {
    let at = address;
    let next = init;
    for (let hops = 0; hops < 10; hops += 1) {
      const request = new Request(at, next);
      if (this.cookies.size > 0)
        request.headers.set('cookie', [...this.cookies].map((pair) => pair.join('=')).join('; '));
      const answer = await this.#send(request);
      this.#keep(answer);
      const location = answer.headers.get('location');
      const html = await answer.text();
      if (location === null)
        return { status: answer.status, html, headers: answer.headers, at, isElsewhere: false };
      const led = new URL(location, at);
      if (led.origin !== at.origin)
        return { status: answer.status, html, headers: answer.headers, at: led, isElsewhere: true };
      at = led;
      next = { method: 'GET' };
    }
    throw new Error('led in circles');
  }

  #keep(answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0(;|$)/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

export function formsOf(html: string): readonly PageForm[] {
  return [...html.matchAll(/<form [^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action = '', inside = '']) => ({
      action: plain(action),
      fields: Object.fromEntries(
        [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
          ([, name = '', value = '']) => [name, plain(value)],
        ),
      ),
    }),
  );
}

function plain(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
