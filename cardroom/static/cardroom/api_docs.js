// Shows the document of the API in Swagger UI, in the theme of the page. Requests go out with the reader's session.

const place = document.getElementById("api-docs");
const theme = document.documentElement.dataset.lookTheme;
const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");

function followTheme() {
  const isDark = theme === "dark" || (theme !== "light" && prefersDark.matches);
  document.documentElement.classList.toggle("dark-mode", isDark);
}

followTheme();
prefersDark.addEventListener("change", followTheme);

window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  filter: true,
  validatorUrl: null, // the validator is a service of others
  requestInterceptor(request) {
    const isOwn = new URL(request.url, window.location).origin === window.location.origin;
    if (isOwn) Object.assign(request.headers, JSON.parse(document.body.getAttribute("hx-headers")));
    return request;
  },
});
