// Goes through the actions of every game on the page that no script looks after yet.
document.querySelectorAll(".paipu-game:not([data-ready])").forEach((game) => {
  game.dataset.ready = "";
  const slider = game.querySelector(".slider");
  const input = slider.querySelector("input");
  const said = slider.querySelector("output");
  const box = game.querySelector(".plays");
  const actions = [...game.querySelectorAll(".plays tbody")];
  const cards = [...game.querySelectorAll("[data-gone]")];
  const hands = [...game.querySelectorAll(".hand")];
  const dealt = hands.map((hand) => hand.querySelectorAll(".cards span").length);

  // The numbers per seat after so many actions: those of the last action that has any.
  const perSeat = (name, position, first) => {
    for (let at = position - 1; at >= 0; at--) {
      if (actions[at].dataset[name]) return actions[at].dataset[name].split(" ");
    }
    return first;
  };

  const show = () => {
    const position = Number(input.value);
    const left = perSeat("left", position, dealt);
    const xiang = perSeat("xiang", position, hands.map(() => 0));
    hands.forEach((hand, seat) => {
      hand.querySelector(".left").textContent = left[seat];
      hand.querySelector(".xiang").textContent = xiang[seat];
    });
    cards.forEach((card) => card.classList.toggle("played", card.dataset.gone <= position));
    actions.forEach((action, at) => {
      action.classList.toggle("later", at >= position);
      action.classList.toggle("now", at === position - 1);
    });
    said.textContent = position ? `${position} / ${actions.length}` : said.dataset.deal;
    box.scrollTop = position ? actions[position - 1].offsetTop - box.clientHeight / 2 : 0;
  };

  slider.addEventListener("click", (event) => {
    const by = event.target.dataset.by;
    if (!by) return;
    const ends = { first: 0, last: actions.length };
    input.value = by in ends ? ends[by] : Number(input.value) + Number(by);
    show();
  });
  input.addEventListener("input", show);
  slider.hidden = false;
  show();
});
