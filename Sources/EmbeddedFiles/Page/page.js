'use strict';
// Shows a model with all its versions. Everything comes from the JSON in #data and is put into the page as text or by
// attributes, never as markup: names may hold anything.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const by = id => document.getElementById(id);
  const root = document.documentElement;
  const size = data.box;

  // ---- The model

  const versions = data.versions.map((version, index) => ({
    ...version, index,
    entityByName: new Map(version.entities.map(number => [data.entities[number].name, data.entities[number]])),
    numberByName: new Map(version.entities.map(number => [data.entities[number].name, number])),
  }));
  const versionNamed = name => versions.find(version => version.name === name);
  const kinds = {
    same: ['=', 'no store has to be migrated'], lightweight: ['L', 'lightweight'],
    custom: ['M', 'by a mapping model'], refused: ['✕', 'not lightweight: it needs a mapping model'],
  };
  const signs = { added: '+', removed: '−', changed: '~', renamed: '~', moved: '~' };

  const { store, comparison, migration } = data;
  /** What a page about two stores or a migration begins with. */
  const report = comparison || migration;
  const ofStore = store && versions.findIndex(version => version.name === store.version);
  const atEnd = report && versions.findIndex(version => version.name === (comparison ? comparison.to.version : migration.to));
  const state = {
    version: Math.max(0, [ofStore, atEnd].find(place => place >= 0) ?? versions.findIndex(version => version.current)),
    entity: null, view: report ? 'report' : 'diagram', configuration: '',
  };
  /** Of a migration that was refused before any model was read. */
  const nothing = { name: '', index: 0, entities: [], entityByName: new Map(), numberByName: new Map() };
  const current = () => versions[state.version] || nothing;
  const former = () => { const step = current().step; return step && versionNamed(step.from); };

  const knownChanges = new Map();
  /** What the step to a version did, by entity and by property: `Hut`, `Hut.fax`. */
  function changesOf(version) {
    if (knownChanges.has(version)) return knownChanges.get(version);
    const found = new Map();
    knownChanges.set(version, found);
    for (const change of version.step ? version.step.changes || [] : []) {
      if (!change.subject) continue;
      const kind = change.kind === 'moved' ? 'changed' : change.kind;
      if (!found.has(change.subject) || found.get(change.subject) === 'changed') found.set(change.subject, kind);
      const entity = change.subject.split('.')[0];
      if (!found.has(entity)) found.set(entity, 'changed');
    }
    return found;
  }

  /** `1`, `0..1`, `*`, `2..5` */
  function cardinality(relationship) {
    if (!relationship.toMany) return relationship.optional ? '0..1' : '1';
    const least = relationship.optional ? 0 : relationship.min || 0;
    if (!relationship.max) return least ? least + '..*' : '*';
    return least + '..' + relationship.max;
  }

  function lineage(version, entity) {
    const found = [entity];
    while (entity.parent && found.length < 50 && version.entityByName.has(entity.parent)) {
      entity = version.entityByName.get(entity.parent);
      found.unshift(entity);
    }
    return found;
  }

  // ---- Elements

  function element(name, attributes = {}, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === 'click') node.addEventListener('click', value);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? '' : value);
    }
    node.append(...children.filter(child => child !== null && child !== undefined));
    return node;
  }

  function drawn(name, attributes = {}, ...children) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }

  const isolated = text => element('bdi', {}, text);
  const short = (text, limit) => text.length > limit ? text.slice(0, limit - 1) + '…' : text;
  /** A character that cannot be seen, or that turns the text around, is shown by its number. */
  const visible = text => text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    character => '\\u{' + character.codePointAt(0).toString(16).toUpperCase() + '}');
  const byName = new Intl.Collator('en', { numeric: true }).compare;
  const plural = (count, one, many) => count.toLocaleString('en') + ' ' + (count === 1 ? one : many || one + 's');

  function entityLink(name) {
    return element('button', { type: 'button', class: 'link', click: () => choose(name) }, isolated(visible(name)));
  }

  function versionLink(version, ...after) {
    return element('button', { type: 'button', class: 'link', click: () => show(version.index) }, isolated(visible(version.name)), ...after);
  }

  // ---- The time line

  function drawVersions() {
    const list = by('versions');
    list.replaceChildren(...versions.map(version => {
      const step = version.step;
      const remarks = [
        version.tag, version.date, version.current ? 'current' : null, version.draft ? 'draft' : null,
        version.locked ? 'released' : null, version.sameHashesAs ? '= ' + version.sameHashesAs : null,
      ].filter(Boolean).map(visible);
      const sign = step && kinds[step.kind];
      return element('li', {},
        sign ? element('span', { class: 'step ' + step.kind, title: sign[1], role: 'img', 'aria-label': sign[1] }, sign[0]) : null,
        element('button', { type: 'button', title: visible(version.name), click: () => show(version.index) },
          isolated(visible(version.name)), element('small', {}, remarks.join(' · ') || '\u00a0')));
    }));
  }

  function markVersion() {
    const items = by('versions').querySelectorAll('button');
    items.forEach((item, index) => {
      if (index === state.version) item.setAttribute('aria-current', 'true'); else item.removeAttribute('aria-current');
    });
    const item = items[state.version];
    if (!item) return;
    const strip = item.closest('nav');
    const [left, right] = [item.offsetLeft - 80, item.offsetLeft + item.offsetWidth + 80];
    if (left < strip.scrollLeft) strip.scrollLeft = left;
    if (right > strip.scrollLeft + strip.clientWidth) strip.scrollLeft = right - strip.clientWidth;
  }

  // ---- The diagram

  const sheet = by('sheet');
  const world = drawn('g');
  sheet.append(world);
  const eye = { x: 0, y: 0, scale: 1 };
  let boxes = new Map();

  /** The entities that are drawn, those that the step removed too. */
  function shownEntities() {
    const version = current();
    const shown = [...version.entityByName.values()].map(entity => ({ entity, isGone: false }));
    const before = by('marks').checked && former();
    if (before) {
      for (const entity of before.entityByName.values()) {
        if (!version.entityByName.has(entity.name) && changesOf(version).get(entity.name) === 'removed') shown.push({ entity, isGone: true });
      }
    }
    return shown;
  }

  /** A box's rows: properties, and at the end how many more there are. */
  function rowsOf(entity, isGone) {
    const rows = entity.attributes ? entity.attributes.map(attribute => [attribute.name, attribute.type + (attribute.optional ? '?' : '')]) : [];
    for (const relationship of entity.relationships || []) rows.push([relationship.name, '→ ' + relationship.to + ' ' + cardinality(relationship)]);
    const before = !isGone && by('marks').checked && former() && former().entityByName.get(entity.name);
    const changes = changesOf(current());
    const marked = rows.map(([name, type]) => ({ name, type, kind: changes.get(entity.name + '.' + name) }));
    if (before) {
      for (const property of [...before.attributes || [], ...before.relationships || []]) {
        if (changes.get(entity.name + '.' + property.name) === 'removed') marked.push({ name: property.name, type: '', kind: 'removed' });
      }
    }
    if (marked.length <= size.rows) return marked;
    // Of a large entity, what the step changed is shown first.
    marked.sort((one, other) => (other.kind ? 1 : 0) - (one.kind ? 1 : 0));
    const shown = marked.slice(0, size.rows - 1);
    return [...shown, { name: '… ' + (marked.length - shown.length) + ' more', type: '' }];
  }

  function drawBoxes() {
    const changes = by('marks').checked ? changesOf(current()) : new Map();
    boxes = new Map();
    let next = 0;
    for (const { entity, isGone } of shownEntities()) {
      const rows = rowsOf(entity, isGone);
      // Every name has a place; what has none for whatever reason stands in a row above.
      const [x, y] = data.positions[entity.name] || [(size.width + 60) * next++, -600];
      boxes.set(entity.name, { entity, isGone, rows, x, y, width: size.width, height: size.header + size.row * rows.length, kind: changes.get(entity.name) });
    }
  }

  /** Where the line between the middles of two boxes leaves the first. */
  function edge(box, other) {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const [dx, dy] = [other.x + other.width / 2 - x, other.y + other.height / 2 - y];
    const share = Math.min(dx ? box.width / 2 / Math.abs(dx) : Infinity, dy ? box.height / 2 / Math.abs(dy) : Infinity);
    return Number.isFinite(share) ? [x + dx * share, y + dy * share] : [x, y];
  }

  /** One line for a relationship and its inverse, one for each parent. */
  function linesOf() {
    const lines = [];
    const seen = new Set();
    const drawnEntities = { entityByName: new Map([...boxes].map(([name, box]) => [name, box.entity])) };
    for (const { entity } of boxes.values()) {
      if (entity.parent && boxes.has(entity.parent)) lines.push({ from: entity.name, to: entity.parent });
      for (const relationship of entity.relationships || []) {
        if (!boxes.has(relationship.to) || seen.has(entity.name + '.' + relationship.name)) continue;
        const owner = lineage(drawnEntities, boxes.get(relationship.to).entity)
          .findLast(one => (one.relationships || []).some(other => other.name === relationship.inverse));
        const inverse = owner && owner.relationships.find(other => other.name === relationship.inverse);
        if (owner) seen.add(owner.name + '.' + inverse.name);
        lines.push({ from: entity.name, to: relationship.to, relationship, inverse });
      }
    }
    return lines;
  }

  function drawLine({ from, to, relationship, inverse }) {
    const [one, other] = [boxes.get(from), boxes.get(to)];
    const isLoop = one === other;
    const start = isLoop ? [one.x + one.width, one.y + 12] : edge(one, other);
    const end = isLoop ? [one.x + one.width, one.y + 34] : edge(other, one);
    const length = Math.max(1, Math.hypot(end[0] - start[0], end[1] - start[1]));
    const [x, y] = [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
    const group = drawn('g', { 'data-ends': '' });
    const path = isLoop ? 'h 24 v 22 h -24' : `L ${end[0]} ${end[1]}`;
    group.append(drawn('path', { class: 'line', d: `M ${start[0]} ${start[1]} ${path}` }));
    const texts = [];
    if (!relationship) {
      const [tipX, tipY] = [end[0] - x * 14, end[1] - y * 14];
      group.append(drawn('path', { class: 'tip', d: `M ${end[0]} ${end[1]} L ${tipX - y * 7} ${tipY + x * 7} L ${tipX + y * 7} ${tipY - x * 7} Z` }));
    } else {
      const label = [relationship, inverse].filter(Boolean)
        .map(one => visible(one.name) + ': ' + cardinality(one) + ', on delete ' + one.delete).join('\n');
      group.append(drawn('title', {}, label));
      for (const [side, point, way] of [[inverse, start, 16], [relationship, end, -16]]) {
        if (!side) continue;
        const place = isLoop ? [point[0] + 40, point[1] + 4] : [point[0] + x * way - y * 12, point[1] + y * way + x * 10 + 4];
        const rule = side.delete === 'cascade' ? ' ⤫' : side.delete === 'deny' ? ' ⊘' : '';
        texts.push(drawn('text', { class: 'end', x: place[0], y: place[1] }, cardinality(side) + rule));
      }
    }
    return { group, texts, from, to };
  }

  function drawBox(box) {
    const { entity, kind } = box;
    box.titleText = (kind ? signs[kind] + ' ' : '') + visible(entity.name);
    box.title = drawn('text', { class: 'name ' + (kind || ''), x: 10, y: 20 }, short(box.titleText, sheet.wasFar ? 13 : 30));
    const isFaint = state.configuration && !(current().configurations[state.configuration] || []).includes(entity.name);
    const label = visible(entity.name) + (entity.abstract ? ', abstract' : '') + ', '
      + plural((entity.attributes || []).length, 'attribute') + ', ' + plural((entity.relationships || []).length, 'relationship')
      + (kind ? ', ' + kind : '');
    const group = drawn('g', {
      class: ['box', entity.abstract && 'abstract', box.isGone && 'gone', isFaint && 'faint', state.entity === entity.name && 'chosen'].filter(Boolean).join(' '),
      tabindex: 0, role: 'button', 'aria-label': short(label, 300), transform: `translate(${box.x} ${box.y})`,
    },
    drawn('rect', { class: 'frame', width: box.width, height: box.height, rx: 3 }),
    drawn('rect', { class: 'head', x: 1, y: 1, width: box.width - 2, height: 28, rx: 2 }),
    box.title);
    const one = inStore(entity.name);
    if (one && !box.isGone) {
      const count = findingsOf(entity.name).length;
      group.append(drawn('text', { class: 'type' + (count ? ' removed' : ''), x: box.width - 10, y: 20, 'text-anchor': 'end' },
        (count ? '⚠ ' : '') + one.rows.toLocaleString('en')));
    }
    const difference = differenceOf(entity.name);
    if (difference && difference.objects.length) {
      group.append(drawn('text', { class: 'type', x: box.width - 10, y: 20, 'text-anchor': 'end' }, countsOf(difference)));
    }
    group.addEventListener('click', event => { if (!moved) { event.stopPropagation(); choose(entity.name); } });
    group.addEventListener('dblclick', () => lookAt(entity.name));
    group.addEventListener('keydown', event => {
      if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(entity.name); }
    });
    group.addEventListener('focus', () => { if (group.matches(':focus-visible')) bringIntoView(box); });
    box.group = group;
    box.isFilled = false;
    return group;
  }

  /** Rows of boxes that can be seen: of 2,000 entities, few are. */
  function fillRows() {
    const isFar = eye.scale < 0.3;
    if (sheet.classList.toggle('far', isFar) !== sheet.wasFar) {
      sheet.wasFar = isFar;
      // From far away names are larger, and have less room.
      for (const box of boxes.values()) box.title.textContent = short(box.titleText, isFar ? 13 : 30);
    }
    if (isFar) return;
    const frame = sheet.getBoundingClientRect();
    for (const box of boxes.values()) {
      const [x, y] = [box.x * eye.scale + eye.x, box.y * eye.scale + eye.y];
      const isSeen = x < frame.width && y < frame.height && x + box.width * eye.scale > 0 && y + box.height * eye.scale > 0;
      if (!isSeen || box.isFilled) continue;
      box.isFilled = true;
      box.rows.forEach((row, place) => {
        const y = size.header + size.row * place + 8;
        const name = short((row.kind ? signs[row.kind] + ' ' : '') + visible(row.name), row.type ? 22 : 34);
        const type = short(visible(row.type), Math.max(4, 30 - name.length));
        box.group.append(drawn('text', { class: 'row ' + (row.kind || ''), x: 10, y }, name));
        if (type) box.group.append(drawn('text', { class: 'row type', x: box.width - 10, y, 'text-anchor': 'end' }, type));
      });
    }
  }

  let lines = [];
  function drawDiagram() {
    drawBoxes();
    lines = linesOf().map(drawLine);
    const groups = [...boxes.values()].map(drawBox);
    world.replaceChildren(...lines.map(line => line.group), ...groups, ...lines.flatMap(line => line.texts));
    markChosen();
    fillRows();
  }

  function markChosen() {
    for (const box of boxes.values()) box.group.classList.toggle('chosen', box.entity.name === state.entity);
    for (const line of lines) line.group.firstChild.classList.toggle('near', state.entity !== null && [line.from, line.to].includes(state.entity));
  }

  // ---- Looking

  let waiting = false;
  function move() {
    world.setAttribute('transform', `translate(${eye.x} ${eye.y}) scale(${eye.scale})`);
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; fillRows(); });
  }

  function fit() {
    const frame = sheet.getBoundingClientRect();
    if (!boxes.size || !frame.width) return;
    const all = [...boxes.values()];
    const left = Math.min(...all.map(box => box.x)) - 40, right = Math.max(...all.map(box => box.x + box.width)) + 40;
    const top = Math.min(...all.map(box => box.y)) - 40, bottom = Math.max(...all.map(box => box.y + box.height)) + 40;
    eye.scale = Math.min(1.2, frame.width / (right - left), frame.height / (bottom - top));
    eye.x = (frame.width - (left + right) * eye.scale) / 2;
    eye.y = (frame.height - (top + bottom) * eye.scale) / 2;
    move();
  }

  function zoom(factor, x, y) {
    const frame = sheet.getBoundingClientRect();
    const [atX, atY] = [x ?? frame.width / 2, y ?? frame.height / 2];
    const scale = Math.min(3, Math.max(0.02, eye.scale * factor));
    eye.x = atX - (atX - eye.x) * scale / eye.scale;
    eye.y = atY - (atY - eye.y) * scale / eye.scale;
    eye.scale = scale;
    move();
  }

  function lookAt(name) {
    const box = boxes.get(name);
    if (!box) return;
    const frame = sheet.getBoundingClientRect();
    eye.scale = Math.min(1, Math.max(eye.scale, 0.7));
    eye.x = frame.width / 2 - (box.x + box.width / 2) * eye.scale;
    eye.y = Math.max(40, frame.height / 2 - box.height / 2 * eye.scale) - box.y * eye.scale;
    move();
  }

  function bringIntoView(box) {
    const frame = sheet.getBoundingClientRect();
    const [x, y] = [box.x * eye.scale + eye.x, box.y * eye.scale + eye.y];
    if (x < 0 || y < 0 || x + box.width * eye.scale > frame.width || y + size.header * eye.scale > frame.height) lookAt(box.entity.name);
  }

  const pointers = new Map();
  let moved = false;
  sheet.addEventListener('pointerdown', event => { pointers.set(event.pointerId, event); moved = false; });
  addEventListener('pointermove', event => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const [dx, dy] = [event.clientX - last.clientX, event.clientY - last.clientY];
    if (!moved && Math.hypot(dx, dy) < 4) return;
    moved = true;
    sheet.classList.add('moving');
    if (pointers.size === 2) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
      const frame = sheet.getBoundingClientRect();
      const distance = one => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      zoom(distance(event) / Math.max(1, distance(last)), (event.clientX + other.clientX) / 2 - frame.left, (event.clientY + other.clientY) / 2 - frame.top);
    } else {
      eye.x += dx;
      eye.y += dy;
      move();
    }
    pointers.set(event.pointerId, event);
  });
  for (const name of ['pointerup', 'pointercancel']) {
    addEventListener(name, event => { pointers.delete(event.pointerId); if (!pointers.size) sheet.classList.remove('moving'); });
  }
  sheet.addEventListener('wheel', event => {
    event.preventDefault();
    const frame = sheet.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - frame.left, event.clientY - frame.top);
  }, { passive: false });
  sheet.addEventListener('click', () => { if (!moved && state.entity) choose(null); });

  // ---- Details

  function facts(pairs) {
    const shown = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false);
    return shown.length ? element('dl', { class: 'facts' }, ...shown.flatMap(([name, value]) =>
      [element('dt', {}, name), element('dd', {}, typeof value === 'string' ? isolated(visible(value)) : value)])) : null;
  }

  function table(heads, rows, style) {
    return element('div', { class: 'wide', tabindex: style ? 0 : null }, element('table', { class: style },
      element('thead', {}, element('tr', {}, ...heads.map(head => element('th', { scope: 'col' }, head)))),
      element('tbody', {}, ...rows.map(cells => element('tr', {}, ...cells.map(cell =>
        element('td', {}, ...(Array.isArray(cell) ? cell : [typeof cell === 'string' ? isolated(visible(cell)) : cell])))))))) ;
  }

  const list = items => element('ul', { class: 'plain' }, ...items.map(item => element('li', {}, ...[item].flat())));

  function sign(kind) { return element('span', { class: kind, title: kind }, signs[kind] + ' '); }

  function attributeRow(attribute, owner, entity) {
    const kind = by('marks').checked && changesOf(current()).get(owner.name + '.' + attribute.name);
    const more = [
      attribute.default !== undefined && '= ' + attribute.default, attribute.transient && 'transient',
      attribute.derived && 'derived: ' + attribute.derived, ...attribute.rules || [],
      attribute.transformer && 'transformer ' + attribute.transformer, attribute.renamedFrom && 'was ' + attribute.renamedFrom,
      owner !== entity && 'from ' + owner.name,
      ...(attribute.elements || []).map(one => one.name + ' ' + one.type + (one.optional ? '?' : '')),
    ].filter(Boolean);
    return [[kind ? sign(kind) : null, isolated(visible(attribute.name))].filter(Boolean),
      attribute.type + (attribute.optional ? '?' : ''), more.join(', ')];
  }

  function relationshipRow(relationship, owner, entity) {
    const kind = by('marks').checked && changesOf(current()).get(owner.name + '.' + relationship.name);
    const more = ['on delete ' + relationship.delete, relationship.ordered && 'ordered', relationship.inverse && 'inverse ' + relationship.inverse,
      !relationship.inverse && 'no inverse', relationship.transient && 'transient', relationship.renamedFrom && 'was ' + relationship.renamedFrom,
      owner !== entity && 'from ' + owner.name].filter(Boolean);
    return [[kind ? sign(kind) : null, isolated(visible(relationship.name))].filter(Boolean),
      [entityLink(relationship.to), ' ' + cardinality(relationship)], more.join(', ')];
  }

  function entityParts(version, entity) {
    const owners = lineage(version, entity);
    const attributes = owners.flatMap(owner => (owner.attributes || []).map(one => attributeRow(one, owner, entity)));
    const relationships = owners.flatMap(owner => (owner.relationships || []).map(one => relationshipRow(one, owner, entity)));
    return [
      facts([
        ['parent', entity.parent && entityLink(entity.parent)], ['class', entity.class], ['was', entity.renamedFrom],
        ...Object.entries(entity.userInfo || {}),
      ]),
      attributes.length ? table(['Attribute', 'Type', ''], attributes) : null,
      relationships.length ? table(['Relationship', 'Leads to', ''], relationships) : null,
      (entity.constraints || []).length ? element('p', {}, 'Unique: ', isolated(entity.constraints.map(one => one.join(' + ')).map(visible).join('; '))) : null,
      (entity.indexes || []).length ? list(entity.indexes.map(one => ['Index ', isolated(visible(one.name + ': ' + one.elements.join(', ')))])) : null,
      (entity.fetchedProperties || []).length ? list(entity.fetchedProperties.map(one => ['Fetched ', isolated(visible(one.name + ': ' + one.predicate))])) : null,
      facts([['version hash', entity.hash && element('code', {}, entity.hash)]]),
    ].filter(Boolean);
  }

  /** In which versions an entity changed. */
  function historyOf(name) {
    const items = [];
    let last;
    for (const version of versions) {
      const number = version.numberByName.get(name);
      if (number !== last) {
        const kind = last === undefined ? 'added' : number === undefined ? 'removed' : 'changed';
        items.push([sign(kind), versionLink(version), ' ' + kind]);
      }
      last = number;
    }
    return items;
  }

  function showEntity(version, name) {
    const entity = version.entityByName.get(name) || (former() && former().entityByName.get(name));
    const heading = element('h2', { tabindex: -1 }, isolated(visible(name)));
    if (!entity) return [heading, element('p', {}, 'This version has no such entity.'), element('h3', {}, 'In versions'), list(historyOf(name))];
    const isGone = !version.entityByName.has(name);
    return [
      element('p', {}, element('button', { type: 'button', class: 'link', click: () => choose(null) }, '← ' + short(visible(version.name), 60))),
      heading,
      entity.abstract || isGone ? element('p', {}, ...[entity.abstract && element('span', { class: 'tag' }, 'abstract'), isGone && element('span', { class: 'tag removed' }, 'removed by this step')].filter(Boolean)) : null,
      ...objectParts(name), ...differenceParts(name),
      ...entityParts(isGone ? former() : version, entity),
      element('h3', {}, 'In versions'), list(historyOf(name)),
    ].filter(Boolean);
  }

  function stepParts(version) {
    const step = version.step;
    if (!step) return [];
    const before = versionNamed(step.from);
    const parts = [element('h3', {}, 'From ', before ? versionLink(before) : isolated(visible(step.from)))];
    parts.push(element('p', {}, element('span', { class: 'tag ' + step.kind }, kinds[step.kind][1])));
    if (step.mapping) parts.push(element('p', {}, 'Mapping model ', isolated(visible(step.mapping))));
    if ((step.policies || []).length) parts.push(element('p', {}, 'With policy ', isolated(step.policies.map(visible).join(', '))));
    if ((step.obstacles || []).length) parts.push(list(step.obstacles.map(one => [element('code', {}, one.code), ' ', isolated(visible(one.text))])));
    if ((step.losses || []).length) {
      parts.push(element('h3', {}, 'What is lost'), list(step.losses.map(one =>
        [element('span', { class: 'removed' }, '− '), isolated(visible(one.text))])));
    }
    if ((step.changes || []).length) {
      parts.push(element('h3', {}, plural(step.changes.length, 'change')), list(step.changes.map(change =>
        [sign(change.kind === 'moved' ? 'changed' : change.kind), isolated(visible(change.text))])));
    }
    return parts;
  }

  function showVersion(version) {
    if (version === nothing) return [];
    const attributes = [...version.entityByName.values()].reduce((count, entity) => count + (entity.attributes || []).length, 0);
    const relationships = [...version.entityByName.values()].reduce((count, entity) => count + (entity.relationships || []).length, 0);
    const path = version.path || [];
    return [
      ...storeParts(),
      element('h2', { tabindex: -1 }, isolated(visible(version.name))),
      element('p', {}, [plural(version.entities.length, 'entity', 'entities'), plural(attributes, 'attribute'), plural(relationships, 'relationship')].join(', ')),
      facts([
        [version.locked ? 'released' : 'in git since', version.date], ['tag', version.tag], ['state', version.current ? 'current' : version.draft ? 'draft' : null],
        ['same hashes as', version.sameHashesAs], ['identifiers', (version.identifiers || []).join(', ')],
      ]),
      path.length > 1 ? element('p', {}, 'A store of this version passes ', ...path.flatMap((name, place) => {
        const stop = versionNamed(name);
        return [place ? ' → ' : '', stop ? versionLink(stop) : name];
      }), '.') : null,
      ...stepParts(version),
      element('h3', {}, 'Entities'),
      list([...version.entityByName.keys()].sort(byName).map(name => entityLink(name))),
    ].filter(Boolean);
  }

  function drawPanel() {
    by('panel').replaceChildren(...(state.entity ? showEntity(current(), state.entity) : showVersion(current())));
    by('panel').scrollTop = 0;
  }

  function drawList() {
    const version = current();
    const names = [...version.entityByName.keys()].sort(byName);
    by('list').replaceChildren(...names.map(name => {
      const entity = version.entityByName.get(name);
      return element('section', {}, element('h2', {}, entityLink(name), entity.abstract ? element('span', { class: 'soft' }, ' abstract') : null), ...entityParts(version, entity));
    }));
  }

  // ---- A store

  const bytes = count => count < 1e6 ? (count / 1e3).toFixed(1) + ' kB' : (count / 1e6).toFixed(1) + ' MB';
  const share = number => (number * 100).toFixed(number > 0.995 || number < 0.1 ? 1 : 0) + ' %';
  /** Own keys alone: an entity may be called `constructor`. */
  const inStore = name => store && Object.hasOwn(store.entities, name) ? store.entities[name] : null;
  const findingsOf = name => (store ? store.findings : []).filter(one => (one.subject || '').split('.')[0] === name);
  /** The entity of a sample's object, by what links call it. */
  const homes = new Map(Object.entries(store ? store.entities : {}).flatMap(([name, one]) => one.sample.map(object => [object.id, name])));

  function findingList(findings) {
    return list(findings.map(one => [element('span', { class: 'tag ' + (one.level === 'error' ? 'removed' : one.level === 'warning' ? 'changed' : 'soft') }, one.level),
      ' ', element('code', {}, one.code), ' ', isolated(visible(one.text)), one.help ? element('div', { class: 'soft' }, isolated(visible(one.help))) : null]));
  }

  function bar(part, whole) {
    const drawing = drawn('svg', { width: 60, height: 8, 'aria-hidden': 'true' });
    drawing.append(drawn('rect', { class: 'bar', width: whole ? Math.max(1, 60 * part / whole) : 0, height: 8 }));
    return drawing;
  }

  /** What there is in the store, before the version's facts. */
  function storeParts() {
    if (!store) return [];
    const names = Object.keys(store.entities).filter(name => store.entities[name].rows).sort((one, other) => store.entities[other].rows - store.entities[one].rows);
    const most = names.length ? store.entities[names[0]].rows : 0;
    return [
      element('h2', {}, isolated(visible(store.name))),
      element('p', {}, plural(store.rows, 'object') + ', ' + bytes(store.bytes) + ', '
        + (store.findings.length ? plural(store.findings.length, 'finding') : 'nothing wrong')),
      facts([
        ['version', ofStore >= 0 ? versionLink(versions[ofStore]) : null],
        ['files next to it', store.externalFiles && plural(store.externalFiles.count, 'file') + ', ' + bytes(store.externalFiles.bytes)],
        ['history', store.history !== null && plural(store.history, 'transaction')],
      ]),
      store.findings.length ? findingList(store.findings) : null,
      names.length ? table(['Entity', 'Objects', '', 'Bytes'], names.map(name => [[entityLink(name)], store.entities[name].rows.toLocaleString('en'),
        [bar(store.entities[name].rows, most)], store.entities[name].bytes ? bytes(store.entities[name].bytes) : ''])) : null,
    ].filter(Boolean);
  }

  /** An entity's objects: how many lack what, and some of them. */
  function objectParts(name) {
    const one = inStore(name);
    if (!one) return [];
    const lacking = Object.entries(one.absent).filter(([, part]) => part < 1 || one.rows);
    const keys = [...new Set(one.sample.flatMap(object => [...Object.keys(object.links), ...Object.keys(object.values)]))];
    return [
      element('h3', {}, plural(one.rows, 'object'), one.bytes ? ', ' + bytes(one.bytes) : ''),
      findingsOf(name).length ? findingList(findingsOf(name)) : null,
      lacking.length ? table(['Without a value', '', ''], lacking.map(([property, part]) => [property, [bar(part, 1)], share(part)])) : null,
      one.sample.length ? element('p', { class: 'soft' }, (one.sample.length < one.rows ? 'The first ' + one.sample.length : 'All') + ' of them'
        + (store.masked ? '; values are masked, `modelc report --show-values` writes them' : '') + '.') : null,
      one.sample.length ? table(['Object', ...keys], one.sample.map(object => [
        [element('span', { id: 'object ' + object.id }, isolated(object.id))],
        ...keys.map(key => Object.hasOwn(object.links, key) ? object.links[key].map(objectLink) : Object.hasOwn(object.values, key) ? [valueNode(object.values[key])] : ''),
      ]), 'sample') : null,
    ].filter(Boolean);
  }

  function objectLink(id) {
    const home = homes.get(id);
    if (!home) return isolated(visible(id));
    return element('button', { type: 'button', class: 'link', click: () => {
      choose(home);
      const row = document.getElementById('object ' + id);
      if (row) { row.closest('tr').classList.add('chosen'); row.scrollIntoView({ block: 'center' }); }
    } }, isolated(visible(id)));
  }

  /** A user's value: a text, or a picture. */
  const picture = /^data:image\/(png|jpeg|gif|webp);base64,([A-Za-z0-9+/]+=*)$/;
  function valueNode(text) {
    const found = picture.exec(text);
    if (!found) return isolated(visible(text));
    const what = found[1].toUpperCase() + ', ' + bytes(found[2].length * 3 / 4);
    return element('img', { src: text, alt: what, title: what, loading: 'lazy' });
  }

  // ---- Two stores

  const differences = new Map((comparison ? comparison.entities : []).map(one => [one.to ?? one.from, one]));
  const differenceOf = name => differences.get(name);
  const countsOf = one => [['+', one.added], ['−', one.removed], ['~', one.changed]].filter(([, count]) => count)
    .map(([sign, count]) => sign + count.toLocaleString('en')).join(' ') || 'no difference';
  const wholeText = value => value === null || value === undefined ? '' : Array.isArray(value) ? value.join(', ') : String(value);

  /** By the values that found it in both stores, and its primary keys. */
  function nameOf(object) {
    const { from, to } = object.primaryKeys;
    const keys = [from, to].filter((key, place, all) => key !== null && all.indexOf(key) === place).map(key => 'p' + key).join(' → ');
    const values = comparison.masked ? [] : Object.entries(object.identity).map(([name, value]) => name + ' ' + (picture.test(value) ? 'picture' : wholeText(value) || 'nil'));
    return values.length ? values.join(', ') + ' (' + keys + ')' : keys;
  }

  /** Both values; what differs in two texts is marked. */
  function sides(property) {
    const [from, to] = [property.from, property.to].map(value => Array.from(wholeText(value)));
    let [start, end] = [0, 0];
    const isText = from.length && to.length && ![property.from, property.to].some(value => Array.isArray(value) || picture.test(value));
    const least = isText && !comparison.masked ? Math.min(from.length, to.length) : 0;
    while (start < least && from[start] === to[start]) start += 1;
    while (end < least - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
    return [from, to].map(text => {
      if (!start && !end) return [valueNode(text.join(''))];
      const [before, between, after] = [text.slice(0, start), text.slice(start, text.length - end), text.slice(text.length - end)].map(part => visible(part.join('')));
      return [element('bdi', {}, before, element('mark', {}, between), after)];
    });
  }

  function differenceTable(objects) {
    const cell = content => element('td', {}, ...content);
    return element('div', { class: 'wide', tabindex: 0 }, element('table', { class: 'sides' },
      element('thead', {}, element('tr', {}, ...['Property', ...[comparison.from, comparison.to].map(one => one.store.split('/').pop())].map(head => element('th', { scope: 'col' }, isolated(visible(head)))))),
      ...objects.map(object => element('tbody', { class: object.kind + '-object' },
        element('tr', {}, element('th', { scope: 'rowgroup', colspan: 3, class: object.kind }, sign(object.kind), isolated(visible(nameOf(object))), element('span', { class: 'soft' }, ' ' + object.kind))),
        ...object.properties.map(property => element('tr', {}, cell([isolated(visible(property.name))]), ...sides(property).map(cell)))))));
  }

  /** A fold, whose content is made when it is opened: of a large difference few are. */
  function fold(head, isOpen, content) {
    const place = element('div');
    const node = element('details', { open: isOpen }, element('summary', {}, ...[head].flat()), place);
    const fill = () => { if (node.open && !place.firstChild) place.append(...content()); };
    node.addEventListener('toggle', fill);
    fill();
    return node;
  }

  const folds = new Map();
  function drawDifferences(place, wanted, kind) {
    const text = object => [nameOf(object), ...object.properties.flatMap(one => [one.name, wholeText(one.from), wholeText(one.to)])].join('\n').toLowerCase();
    const key = object => object.primaryKeys.from ?? object.primaryKeys.to;
    let room = 200;
    const nodes = [];
    folds.clear();
    for (const [name, one] of differences) {
      const objects = one.objects.filter(object => (!kind || object.kind === kind) && (!wanted || text(object).includes(wanted))).sort((one, other) => key(one) - key(other));
      if (!objects.length) continue;
      const differing = one.added + one.removed + one.changed;
      const title = one.from !== null && one.to !== null && one.from !== one.to ? one.from + ' → ' + one.to : name;
      const [left, right] = [one.notCompared.from, one.notCompared.to].map(names => names.join(', '));
      const by = { primaryKey: 'by primary key', content: 'by all attributes' }[one.matchedBy.kind] || 'by ' + one.matchedBy.attributes.join(' and ');
      const node = fold([element('h3', {}, isolated(visible(title))), ' ', countsOf(one), element('span', { class: 'soft' }, ' ' + plural(one.equal, 'object') + ' equal; found ' + visible(by))], room > 0, () => [
        objects.length < differing ? element('p', { class: 'soft' }, (wanted || kind ? objects.length.toLocaleString('en') + ' of the first ' : 'The first ') + one.objects.length.toLocaleString('en') + ' of ' + plural(differing, 'object') + ' that differ' + (one.objects.length < differing ? '; `modelc diff --limit` writes more.' : '.')) : null,
        left ? element('p', { class: 'soft' }, 'Only in ', isolated(visible(comparison.from.version)), ', not compared: ', isolated(visible(left))) : null,
        right ? element('p', { class: 'soft' }, 'Only in ', isolated(visible(comparison.to.version)), ', not compared: ', isolated(visible(right))) : null,
        differenceTable(objects),
      ].filter(Boolean));
      room -= objects.length;
      folds.set(name, node);
      nodes.push(node);
    }
    const equal = [...differences].filter(([, one]) => !one.added && !one.removed && !one.changed);
    if (!nodes.length) nodes.push(element('p', {}, wanted || kind ? 'No object that differs is so.' : 'No object differs.'));
    if (equal.length && !wanted && !kind) nodes.push(fold(plural(equal.length, 'entity', 'entities') + ' without a difference', false, () => [list(equal.map(([name, one]) => [entityLink(name), ' ' + plural(one.equal, 'object')]))]));
    place.replaceChildren(...nodes);
  }

  function drawComparison() {
    const all = [...differences.values()].reduce((sum, one) => ({ added: sum.added + one.added, removed: sum.removed + one.removed, changed: sum.changed + one.changed, equal: sum.equal + one.equal }), { added: 0, removed: 0, changed: 0, equal: 0 });
    const place = element('div');
    const filter = element('input', { type: 'search', autocomplete: 'off', spellcheck: 'false', placeholder: comparison.masked ? 'property, primary key' : 'value, property, primary key' });
    const kind = element('select', {}, element('option', { value: '' }, 'all'), ...['added', 'removed', 'changed'].map(name => element('option', { value: name }, name)));
    const update = () => drawDifferences(place, filter.value.trim().toLowerCase(), kind.value);
    filter.addEventListener('input', update);
    kind.addEventListener('change', update);
    by('report').replaceChildren(
      element('h2', {}, ['added', 'removed', 'changed'].filter(name => all[name]).map(name => all[name].toLocaleString('en') + ' ' + name).join(', ') || 'No difference'),
      facts([
        ...[['before', comparison.from], ['after', comparison.to]].map(([name, one]) => [name,
          element('span', {}, isolated(visible(one.store)), ...one.version === one.store ? [', with its own model'] : [', ', isolated(visible(one.version))])]),
        ['equal', plural(all.equal, 'object')],
        ['unreadable', comparison.unreadable > 0 && plural(comparison.unreadable, 'cell') + ' hold no value of the property; they count as empty'],
      ]),
      ...comparison.masked ? [element('p', { class: 'soft' }, 'Values are masked; `modelc diff --format html --show-values` writes them.')] : [],
      element('p', { class: 'tools' }, element('label', {}, 'Objects with ', filter), element('label', {}, 'that are ', kind)), place);
    update();
  }

  /** What an entity's box opens to beside its properties. */
  function differenceParts(name) {
    const one = differenceOf(name);
    if (!one) return [];
    const node = folds.get(name);
    return [element('h3', {}, 'Between the stores'), element('p', {}, plural(one.before, 'object') + ' before, ' + one.after.toLocaleString('en') + ' after: ' + countsOf(one) + ' '),
      node ? element('p', {}, element('button', { type: 'button', class: 'link', click: () => { setView('report'); node.open = true; node.scrollIntoView(); } }, 'Show what differs')) : null].filter(Boolean);
  }

  // ---- A migration

  /** The versions that a store passes. */
  function stopsOf() {
    if (migration.path) return migration.path;
    const steps = migration.steps || [];
    return steps.length ? [steps[0].from, ...steps.map(step => step.to)] : [migration.to || migration.from].filter(Boolean);
  }

  const lossName = loss => loss.property === null ? loss.entity : loss.entity + '.' + loss.property;
  const lossText = loss => plural(loss.count, loss.property === null ? 'object' : 'value');

  /** The model's steps from a version to a later one: several, where a store goes directly. */
  function stepsBetween(from, to) {
    const found = [];
    for (let version = versionNamed(to); version && version.step && found.length < versions.length; version = versionNamed(version.step.from)) {
      found.unshift(version.step);
      if (version.step.from === from) return found;
    }
    return [];
  }

  function stepNode(from, to) {
    const planned = (migration.steps || []).find(step => step.from === from && step.to === to);
    const known = stepsBetween(from, to);
    const isCustom = planned ? planned.mapping === 'custom' : known.some(step => step.kind === 'custom');
    const policies = known.flatMap(step => step.policies || []);
    const kind = isCustom ? 'custom' : known.length && known.every(step => step.kind === 'same') ? 'same' : 'lightweight';
    const method = (isCustom ? (policies.length ? 'by a mapping model and policy ' + policies.join(', ') : 'by a mapping model') : kinds[kind][1])
      + (known.length > 1 ? ', past ' + known.slice(1).map(step => step.from).join(', ') : '');
    const changes = known.flatMap(step => step.changes || []);
    const count = (...names) => changes.filter(change => names.includes(change.kind)).length;
    const subjects = known.flatMap(step => step.losses || []).map(one => one.subject);
    const lost = (migration.losses || []).filter(loss => subjects.includes(lossName(loss)));
    return element('li', { class: 'way' },
      element('span', { class: 'arrow', 'aria-hidden': 'true' }, '→'),
      element('div', {},
        element('span', { class: 'tag ' + kind }, visible(method)),
        changes.length ? fold(countsOf({ added: count('added'), removed: count('removed'), changed: count('changed', 'renamed', 'moved') }), false, () => [list(changes.map(change => [sign(change.kind === 'moved' ? 'changed' : change.kind), isolated(visible(change.text))]))]) : null,
        ...lost.map(loss => element('p', { class: 'removed' }, '− ', isolated(visible(lossName(loss))), ': ' + lossText(loss)))));
  }

  function flow() {
    const stops = stopsOf();
    return element('ol', { class: 'flow', 'aria-label': 'Path' }, ...stops.flatMap((name, place) => {
      const version = versionNamed(name);
      const remarks = version ? [version.tag, version.date, version.locked ? 'released' : null, version.current ? 'current' : null].filter(Boolean).map(visible).join(' · ') : '';
      const stop = element('li', { class: 'stop' }, version ? versionLink(version) : isolated(visible(name)), element('small', {}, remarks));
      return place ? [stepNode(stops[place - 1], name), stop] : [stop];
    }));
  }

  const accounts = migration && migration.mappings || [];
  /** Objects before and after, of an entity mapping. Of a custom step that has run its own account counts. */
  function countsOfRow(row) {
    const account = accounts.find(one => one.mapping === row.mapping && one.source === row.source);
    return account ? [account.objects, account.made] : [row.rows, row.destination === null ? 0 : row.made];
  }

  const nameLink = name => name === null ? '' : versions.some(version => version.entityByName.has(name)) ? [entityLink(name)] : name;
  const counted = (count, most, about = '') => count === undefined ? ['', ''] : [about + count.toLocaleString('en'), [bar(count, most)]];

  /** What becomes of the rows: by entity over the whole path, and by mapping. */
  function rowParts() {
    const segments = (migration.segments && migration.segments.length > 1 ? migration.segments : [{ entities: migration.entities || [] }])
      .map(segment => ({ ...segment, rows: segment.entities.filter(row => row.rows !== undefined) }));
    const [first, last] = [segments[0].rows, segments[segments.length - 1].rows];
    if (!first.length && !last.length) return [];
    const [before, after] = [new Map(), new Map()];
    // Several mappings may take the same objects, and make others of them.
    for (const row of first) if (row.source !== null) before.set(row.source, Math.max(before.get(row.source) || 0, countsOfRow(row)[0]));
    for (const row of last) if (row.destination !== null) after.set(row.destination, (after.get(row.destination) || 0) + countsOfRow(row)[1]);
    for (const [name, count] of Object.entries(migration.after || {})) if (count || after.has(name)) after.set(name, count);
    const most = Math.max(1, ...before.values(), ...after.values());
    const isRun = migration.objects !== undefined;
    const about = migration.rowsAreUpperBounds ? 'at most ' : '';
    const isCustom = (migration.segments || []).some(segment => segment.mapping === 'custom');
    const estimated = migration.after ? '' : isCustom || segments.some(segment => segment.rowsAreEstimates) ? 'about ' : about;
    const names = [...new Set([...before.keys(), ...after.keys()])].sort(byName);
    const mapping = segment => table(['Before', 'Objects', '', 'After', 'Objects', ''], segment.rows.map(row => {
      const [was, is] = countsOfRow(row);
      const sign = !isRun && segment.rowsAreEstimates ? 'about ' : about;
      return [nameLink(row.source), ...counted(row.source === null ? undefined : was, most, sign), nameLink(row.destination), ...counted(row.destination === null ? undefined : is, most, sign)];
    }));
    return [
      table(['Entity', 'Before', '', 'After', ''], names.map(name => [nameLink(name), ...counted(before.get(name), most, about), ...counted(after.get(name), most, estimated)])),
      ...segments.map(segment => fold(['By mapping', ...segment.path ? [', ', isolated(visible(segment.path.join(' → ')))] : []], false, () => [mapping(segment)])),
    ];
  }

  function diagnosticParts(findings) {
    return findings.map(one => element('div', { class: 'finding' },
      findingList([{ level: one.severity, code: one.code, text: one.message, help: null }]),
      list([...(one.notes || []).map(note => isolated(visible(note.message))), ...(one.help || []).map(help => element('span', { class: 'soft' }, isolated(visible(help))))]),
      one.proposal ? fold(visible(one.proposal.message), false, () => [code(one.proposal.text)]) : null));
  }

  const code = text => element('pre', { tabindex: 0 }, text.split('\n').map(visible).join('\n'));
  const duration = seconds => seconds < 0.0995 ? Math.max(1, Math.round(seconds * 1000)) + ' ms' : seconds < 60 ? Number(seconds.toPrecision(2)) + ' s' : Math.floor(seconds / 60) + ' min ' + Math.round(seconds % 60) + ' s';

  function headOf(hasErrors) {
    const isRun = migration.objects !== undefined;
    const stops = stopsOf();
    const text = hasErrors ? ['removed', 'refused'] : isRun ? (migration.destination === null ? ['soft', stops.length > 1 ? 'tried, nothing was written' : 'nothing to do'] : ['added', 'migrated'])
      : stops.length > 1 ? ['added', 'can be carried out'] : ['soft', 'nothing to do'];
    return [element('h2', {}, isRun ? 'Report of the migration' : migration.steps || migration.path ? 'Plan of the migration' : 'Migration'), element('p', {}, element('span', { class: 'tag ' + text[0] }, text[1]))];
  }

  function drawMigration() {
    const findings = [...migration.diagnostics || [], ...migration.warnings || []];
    const hasErrors = findings.some(one => one.severity === 'error');
    const { losses = [], phases = [], statements = [], changes = [], segments = [] } = migration;
    const broken = migration.violations || migration.brokenRules || [];
    const longest = Math.max(0.001, ...phases.map(one => one.seconds));
    const joined = segments.filter(segment => segment.path.length > 2);
    const heading = (text, nodes) => nodes.length ? [element('h3', {}, text), ...nodes] : [];
    by('report').replaceChildren(...headOf(hasErrors), stopsOf().length ? flow() : '', facts([
      ['store', migration.store], ['model', migration.model], ['size', migration.bytes > 0 && bytes(migration.bytes)],
      ['room', migration.bytesNeeded > 0 && 'about ' + bytes(migration.bytesNeeded) + ' next to the store'],
      ['time', migration.seconds !== undefined ? duration(migration.seconds) : migration.estimatedSeconds && 'about ' + duration(migration.estimatedSeconds) + ' on this machine'],
      ['objects', migration.objects !== undefined && migration.objects.toLocaleString('en')],
      ['how', segments.length > 1 || segments.some(segment => segment.mapping === 'custom') ? 'a clone next to the store is altered, proved and swapped in at once'
        : (migration.steps || []).length ? migration.steps[0].route + ': ' + migration.routeReason : null],
      ['in one', joined.map(segment => segment.path.join(' → ')).join('; ')],
      ['afterwards', (migration.postProcessing || []).join(', ')], ['not tried', (migration.untried || []).join('; ')],
      ['written to', migration.destination], ['old store', migration.backup],
      ['references to missing objects', migration.brokenReferences > 0 && migration.brokenReferences.toLocaleString('en') + ', as before'],
    ]) || '',
    ...heading('Findings', diagnosticParts(findings)),
    ...heading('What is lost', losses.length ? [table(['', 'Rows', '', ''], losses.map(loss => [
      [element('span', { class: 'removed' }, '− '), isolated(visible(lossName(loss)))], lossText(loss), loss.acknowledged ? 'accepted' : '', [element('code', {}, loss.code)]]))] : []),
    ...heading('Rules that objects break', broken.length ? [table(['', 'Objects', '', ''], broken.map(rule => [
      [rule.entity, rule.property].filter(Boolean).join('.'), rule.count.toLocaleString('en'), rule.wasThereBefore ? 'as before' : '', [element('code', {}, rule.code)]]))] : []),
    ...heading('Rows', rowParts()),
    ...heading('Seconds by phase', phases.length ? [table(['Phase', 'Time', ''], phases.map(one => [one.phase, duration(one.seconds), [bar(one.seconds, longest)]]))] : []),
    ...changes.length ? [fold(plural(changes.length, 'property', 'properties') + ' or rules that change', false, () => [list(changes.map(line => isolated(visible(line))))])] : [],
    ...statements.length ? [fold(plural(statements.length, 'statement') + ' of SQL', false, () => [code(statements.join(';\n\n') + ';')])] : []);
  }

  // ---- What is shown

  function remember() {
    const parts = [current().name, state.entity].filter(part => part !== null).map(encodeURIComponent);
    const hash = '#' + parts.join('/');
    if (location.hash !== hash) history.pushState(null, '', hash);
  }

  function refresh() {
    document.title = data.title + ' ' + current().name;
    markVersion();
    const names = Object.keys(current().configurations || {});
    by('configurations').hidden = !names.length;
    if (!names.includes(state.configuration)) state.configuration = '';
    by('configuration').replaceChildren(element('option', { value: '' }, 'all'), ...names.map(name => element('option', { value: name, selected: name === state.configuration }, visible(name))));
    if (state.view === 'list') drawList(); else if (state.view === 'diagram') drawDiagram();
    drawPanel();
  }

  function show(index) {
    if (index < 0 || index >= versions.length) return;
    state.version = index;
    remember();
    refresh();
  }

  function choose(name) {
    state.entity = name;
    remember();
    drawPanel();
    if (state.view === 'diagram') {
      markChosen();
      if (name && boxes.has(name)) bringIntoView(boxes.get(name));
    }
    if (name && matchMedia('(max-width: 800px)').matches) by('panel').scrollIntoView();
  }

  function readAddress() {
    let parts;
    try { parts = location.hash.slice(1).split('/').map(decodeURIComponent); } catch { return; }
    const version = versionNamed(parts[0]);
    if (version) state.version = version.index;
    state.entity = version && parts[1] || null;
  }

  let isFitted = false;
  function setView(view) {
    state.view = view;
    for (const [name, button] of [['report', 'asReport'], ['diagram', 'asDiagram'], ['list', 'asList']]) {
      by(name).hidden = view !== name;
      by(button).setAttribute('aria-pressed', view === name);
    }
    refresh();
    if (view !== 'diagram' || isFitted) return;
    isFitted = true;
    fit();
  }

  // ---- Search

  function search() {
    const wanted = by('search').value.trim().toLowerCase();
    const found = [];
    if (wanted) {
      for (const entity of current().entityByName.values()) {
        if (entity.name.toLowerCase().includes(wanted)) found.push([entity.name, entity.name]);
        for (const one of [...entity.attributes || [], ...entity.relationships || []]) {
          const type = one.type || one.to;
          if (one.name.toLowerCase().includes(wanted) || type.toLowerCase().includes(wanted)) found.push([entity.name, entity.name + '.' + one.name + '  ' + type]);
        }
      }
    }
    const shown = found.slice(0, 50).map(([name, text]) => element('li', {}, element('button', { type: 'button', click: () => open(name) }, isolated(short(visible(text), 120)))));
    if (found.length > 50) shown.push(element('li', { class: 'soft' }, plural(found.length - 50, 'more')));
    if (wanted && !found.length) shown.push(element('li', { class: 'soft' }, 'nothing found in ' + visible(current().name)));
    by('found').replaceChildren(...shown);
    by('found').hidden = !wanted;
  }

  function open(name) {
    by('found').hidden = true;
    choose(name);
    if (state.view === 'diagram') lookAt(name);
    const heading = by('panel').querySelector('h2');
    if (heading) heading.focus({ preventScroll: true });
  }

  by('search').addEventListener('input', search);
  by('search').addEventListener('keydown', event => {
    const first = by('found').querySelector('button');
    if (event.key === 'Enter' && first) first.click();
    if (event.key === 'ArrowDown' && first) { event.preventDefault(); first.focus(); }
  });
  by('found').addEventListener('keydown', event => {
    const next = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
    if (!next) return;
    event.preventDefault();
    const item = event.target.closest('li')[next];
    const button = item && item.querySelector('button');
    (button || by('search')).focus();
  });

  // ---- Keys and buttons

  addEventListener('keydown', event => {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === 'Escape') {
      if (!by('found').hidden) { by('found').hidden = true; by('search').focus(); } else choose(null);
    }
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') { event.preventDefault(); by('search').focus(); by('search').select(); }
    if (event.key === 'ArrowLeft') show(state.version - 1);
    if (event.key === 'ArrowRight') show(state.version + 1);
    if (event.key === '+') zoom(1.25);
    if (event.key === '-') zoom(0.8);
    if (event.key === '0') fit();
  });
  document.addEventListener('click', event => { if (!event.target.closest('header')) by('found').hidden = true; });
  by('zoomIn').addEventListener('click', () => zoom(1.25));
  by('zoomOut').addEventListener('click', () => zoom(0.8));
  by('zoomFit').addEventListener('click', fit);
  by('marks').addEventListener('change', refresh);
  by('asReport').addEventListener('click', () => setView('report'));
  by('asDiagram').addEventListener('click', () => setView('diagram'));
  by('asList').addEventListener('click', () => setView('list'));
  by('configuration').addEventListener('change', event => { state.configuration = event.target.value; refresh(); });
  const setDark = isDark => { root.classList.toggle('dark', isDark); by('theme').setAttribute('aria-pressed', isDark); };
  by('theme').addEventListener('click', () => setDark(!root.classList.contains('dark')));
  addEventListener('popstate', () => { readAddress(); refresh(); });
  addEventListener('beforeprint', () => { if (!report) drawList(); });

  setDark(matchMedia('(prefers-color-scheme: dark)').matches);
  readAddress();
  drawVersions();
  if (report) {
    root.classList.add('reporting');
    by('asReport').hidden = false;
    by('asReport').textContent = comparison ? 'Differences' : 'Migration';
    if (comparison) drawComparison(); else drawMigration();
  }
  setView(state.view);
  if (state.entity) lookAt(state.entity);
})();
