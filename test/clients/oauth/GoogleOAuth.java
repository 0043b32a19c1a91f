// java -cp ... GoogleOAuth.java API CLIENT_ID CLIENT_SECRET REDIRECT_URI
import com.google.api.client.auth.oauth2.AuthorizationCodeFlow;
import com.google.api.client.auth.oauth2.AuthorizationCodeResponseUrl;
import com.google.api.client.auth.oauth2.BearerToken;
import com.google.api.client.auth.oauth2.ClientCredentialsTokenRequest;
import com.google.api.client.auth.oauth2.Credential;
import com.google.api.client.auth.oauth2.RefreshTokenRequest;
import com.google.api.client.auth.oauth2.TokenResponse;
import com.google.api.client.http.BasicAuthentication;
import com.google.api.client.http.GenericUrl;
import com.google.api.client.http.HttpTransport;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.JsonFactory;
import com.google.api.client.json.gson.GsonFactory;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.List;

public class GoogleOAuth {
  public static void main(String[] args) throws Exception {
    String api = args[0];
    HttpTransport transport = new NetHttpTransport();
    JsonFactory json = new GsonFactory();
    GenericUrl tokenUrl = new GenericUrl(api + "/auth/oauth/token");
    BasicAuthentication client = new BasicAuthentication(args[1], args[2]);

    TokenResponse machine = new ClientCredentialsTokenRequest(transport, json, tokenUrl)
        .setScopes(List.of("VEHICLES_RO")).setClientAuthentication(client).execute();
    System.out.println("machine " + machine.getScope());

    AuthorizationCodeFlow flow = new AuthorizationCodeFlow.Builder(
        BearerToken.authorizationHeaderAccessMethod(), transport, json, tokenUrl, client, args[1],
        api + "/auth/oauth/authorize").setScopes(List.of("openid", "VEHICLES_RO")).enablePKCE().build();
    System.out.println("open " + flow.newAuthorizationUrl().setRedirectUri(args[3]).setState("state").build());
    String answer = new BufferedReader(new InputStreamReader(System.in)).readLine();
    TokenResponse person = flow.newTokenRequest(new AuthorizationCodeResponseUrl(answer).getCode())
        .setRedirectUri(args[3]).execute();
    System.out.println("person " + person.getScope());
    TokenResponse refreshed = new RefreshTokenRequest(transport, json, tokenUrl, person.getRefreshToken())
        .setClientAuthentication(client).execute();
    System.out.println("refreshed " + refreshed.getScope());
    Credential credential = flow.createAndStoreCredential(refreshed, "person");
    int status = transport.createRequestFactory(credential).buildGetRequest(new GenericUrl(api + "/vehicles"))
        .execute().getStatusCode();
    System.out.println("vehicles " + status);
  }
}
